// The yardstick: what the compiler itself costs.
