"""Image messages, as both engines perform them: surface and sampler states, texel formats, filters."""
