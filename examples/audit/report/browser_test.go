package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser opens a page of the report in a headless Chromium. What it complains of and
// asks for fails the test.
func browser(t *testing.T, r *Report) (ctx context.Context, url string) {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("##### SKIPPED: chromium is not on the PATH (Debian: apt-get install chromium) #####")
	}
	file := filepath.Join(t.TempDir(), "audit.html")
	if err := os.WriteFile(file, []byte(html(t, r)), 0o600); err != nil {
		t.Fatal(err)
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.WindowSize(1200, 1600))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	var mu sync.Mutex
	var complaints []string
	url = "file://" + file
	chromedp.ListenTarget(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			complaints = append(complaints, "console: "+e.Type.String())
		case *runtime.EventExceptionThrown:
			complaints = append(complaints, "exception: "+e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			complaints = append(complaints, "log: "+e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if e.Request.URL != url && !strings.HasPrefix(e.Request.URL, "data:") {
				complaints = append(complaints, "request: "+e.Request.URL)
			}
		}
	})
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if len(complaints) > 0 {
			t.Errorf("the browser says: %q", complaints)
		}
	})
	if err := chromedp.Run(ctx, network.Enable(), log.Enable(), runtime.Enable(), chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	return ctx, url
}

// picture writes what the page looks like, to be looked at.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	var png []byte
	if err := chromedp.Run(ctx, chromedp.FullScreenshot(&png, 100)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.ArtifactDir(), name)
	if err := os.WriteFile(file, png, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("screenshot: %s (go test -artifacts keeps it)", file)
}

// TestBrowser reads, filters and prints the page as people do.
func TestBrowser(t *testing.T) {
	ctx, _ := browser(t, everything(10_000))
	var shown int
	var took float64
	var count string
	const filter = `(() => {
		const input = document.querySelector("input[data-filters=tags]");
		const best = {"": Infinity, "team-7 PRESERVE": Infinity};
		for (let i = 0; i < 5; i++) {
			for (const words in best) {
				const began = performance.now();
				input.value = words;
				input.dispatchEvent(new Event("input"));
				document.body.offsetHeight;
				best[words] = Math.min(best[words], performance.now() - began);
			}
		}
		return Math.max(...Object.values(best));
	})()`
	err := chromedp.Run(ctx,
		chromedp.Evaluate(filter, &took),
		chromedp.Evaluate(`[...document.querySelectorAll("table[data-table=tags] tbody tr")].filter((r) => r.offsetParent !== null).length`, &shown),
		chromedp.Text(`[data-count=tags]`, &count))
	if err != nil {
		t.Fatal(err)
	}
	// Every second row has the mode; of team-7, which is every fortieth, all have.
	if shown != 250 || count != "250 of 10000" {
		t.Errorf("%d rows are shown, and the page says %q", shown, count)
	}
	if took > 1000 {
		t.Errorf("filtering took %.0f ms at best, want a second at most", took)
	}
	picture(t, ctx, "light.png")
	dark := emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}})
	var back, printed string
	const color = `getComputedStyle(document.body).backgroundColor`
	if err := chromedp.Run(ctx, dark, chromedp.Evaluate(color, &back)); err != nil {
		t.Fatal(err)
	}
	picture(t, ctx, "dark.png")
	if err := chromedp.Run(ctx, emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(color+` + getComputedStyle(document.querySelector("button[data-copy]")).display`, &printed)); err != nil {
		t.Fatal(err)
	}
	if back != "rgb(13, 17, 23)" || printed != "rgb(255, 255, 255)none" {
		t.Errorf("dark is %s, print is %s", back, printed)
	}
}

// TestBrowserWithoutScripts: what only scripts do is not offered without them, and all
// else is there.
func TestBrowserWithoutScripts(t *testing.T) {
	ctx, url := browser(t, everything(30))
	var text string
	var offered int
	err := chromedp.Run(ctx, emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(url),
		chromedp.Text("body", &text),
		chromedp.Evaluate(`[...document.querySelectorAll(".scripted")].filter((e) => e.offsetParent !== null).length`, &offered))
	if err != nil {
		t.Fatal(err)
	}
	if offered != 0 {
		t.Errorf("%d elements offer what needs scripts", offered)
	}
	for _, want := range []string{"app-29", "imagestreams.StaysLegacy", "Growth", "oc patch"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
}
