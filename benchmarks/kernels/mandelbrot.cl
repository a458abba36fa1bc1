// Iterations until |z| > 2, at most `limit`, for each point of a picture of the Mandelbrot set.
kernel void mandelbrot(global int *out, int width, float step, int limit) {
    int column = get_global_id(0), row = get_global_id(1);
    float cr = fma((float)column, step, -2.25f), ci = fma((float)row, step, -1.5f);
    float zr = 0.0f, zi = 0.0f;
    int n = 0;
    while (n < limit) {
        float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4.0f)
            break;
        zi = fma(2.0f * zr, zi, ci);
        zr = rr - ii + cr;
        n++;
    }
    out[row * width + column] = n;
}
