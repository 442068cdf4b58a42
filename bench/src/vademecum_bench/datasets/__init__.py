"""One module a data set: files in, `Dataset` out."""
