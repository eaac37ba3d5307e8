.intel_syntax
v c{σ{z}