"""Groups of names, as cute.arch and cute.nvgpu are: a name that is missing is one sentence."""

#: What NVIDIA's DSL has, and runs on GPUs of its own only.
_ELSEWHERE = {"TMA of images": ("im2col",), "changed maps of TMA": ("tensormap", "tma_desc"),
              "tensor memory": ("tcgen05", "tmem")}


class Names(type):
    """The type of such a group, which is a class."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        kind = next((what for what, words in _ELSEWHERE.items() if any(word in name.lower() for word in words)), None)
        why = f": {kind} {'are' if kind.split()[0].endswith(('s', 'd')) else 'is'} not run here" if kind else ""
        raise AttributeError(f"tilewright.cute's {cls.__name__} has no '{name}'{why}; docs/reference/python.md#kernels lists what it has of "
                             "CuTe's Python DSL")
