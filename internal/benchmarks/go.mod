module github.com/polyarch/polyarch/internal/benchmarks

go 1.26.0

require github.com/polyarch/polyarch v0.0.0

replace github.com/polyarch/polyarch => ../..
