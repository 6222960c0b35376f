"""Divisors that kernels divide by often: divmod(n, FastDivmodDivisor(3))."""

__all__ = ["FastDivmodDivisor", "FastDivmodDivisorV2", "fast_divmod_compute", "fast_divmod_create_divisor", "fast_divmod_create_divisor_v2"]


class FastDivmodDivisor:
    """A divisor: divmod(n, it), n // it and n % it are those of its number."""

    def __init__(self, divisor, is_power_of_2=False, **_):
        self.divisor = divisor

    def divmod(self, n, **_):
        """(quotient, remainder) of n."""
        return n // self.divisor, n % self.divisor

    __rdivmod__ = divmod

    def __rfloordiv__(self, n):
        return n // self.divisor

    def __rmod__(self, n):
        return n % self.divisor


def fast_divmod_create_divisor(divisor, **_):
    """The divisor, for fast_divmod_compute and divmod."""
    return FastDivmodDivisor(divisor)


def fast_divmod_compute(divisor, n, **_):
    """(quotient, remainder) of n."""
    return divisor.divmod(n)


class FastDivmodDivisorV2(FastDivmodDivisor):
    """A divisor whose number kernels read as `divisor`, as that of FastDivmodDivisor here."""


def fast_divmod_create_divisor_v2(divisor, **_):
    """The divisor, for divmod, // and %."""
    return FastDivmodDivisorV2(divisor)
