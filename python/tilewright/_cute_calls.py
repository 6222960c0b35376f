"""Calls of compiled functions on a GPU: what a host function launched is noted, and later calls of the same kind launch it without the
function. Only the addresses of the arrays differ between them: all else is in the key of a call.
"""
import contextvars

_noted = contextvars.ContextVar("noted", default=None)
_exported = contextvars.ContextVar("export", default=None)
MAX_MAPS = 256  # that a call keeps encoded


def exporting():
    """The export (_cute_export.py) for which a host function runs; None otherwise."""
    return _exported.get()


def exported(export, run):
    """What run() returns, its launches noted in the export in place of being done."""
    token = _exported.set(export)
    try:
        return run()
    finally:
        _exported.reset(token)


class Notes:
    """What a host function does while it runs: its launches, and whether that is all."""

    def __init__(self):
        self.launches, self.is_all = [], True


def is_noted():
    """Does a function run whose launches are noted?"""
    return _noted.get() is not None


def note_launch(prepared, grid, parameters, together):
    """Notes a launch for the calls that follow."""
    if _noted.get() is not None:
        _noted.get().launches.append((prepared, grid, parameters, together))


def not_repeated():
    """Says that a host function does what launches do not repeat, so that each call runs it."""
    if _noted.get() is not None:
        _noted.get().is_all = False


class _Constant:
    def __init__(self, value):
        self.value = value

    def at(self, memories):
        return self.value


class _Address:
    def __init__(self, place):
        self.place = place

    def at(self, memories):
        return memories[self.place].packed()


class _Map:
    """The map of a TMA atom for an array of the call."""

    def __init__(self, place, atom):
        self.place, self.map_at, self.encoded = place, atom.map_at, {}

    def at(self, memories):
        memory = memories[self.place]
        found = self.encoded.get(memory.address)
        if found is None:
            if len(self.encoded) >= MAX_MAPS:
                self.encoded.clear()
            found = self.encoded[memory.address] = self.map_at(memory.address).encoded(memory.ordinal)
        return found


def _parameter_of(key, parameter):
    """The parameter in terms of a call's memories; None where its memory is not one of them."""
    if not hasattr(parameter, "ordinal") and not hasattr(parameter, "memory"):
        return _Constant(parameter.packed())
    place = key.place_of(getattr(parameter, "memory", parameter))
    if place is None:
        return None
    return _Map(place, parameter) if hasattr(parameter, "memory") else _Address(place)


class Call:
    """The launches of a host function for all calls of one key."""

    def __init__(self, launches, held):
        self.launches, self.held = launches, held

    @classmethod
    def of(cls, notes, key):
        """The call; None where a launch has memory that is not of the arguments, or the function does more than launch."""
        launches = [(prepared, grid, [_parameter_of(key, p) for p in parameters], together)
                    for prepared, grid, parameters, together in notes.launches]
        whole = notes.is_all and launches and all(p is not None for _, _, parameters, _ in launches for p in parameters)
        return cls(launches, key.held) if whole else None

    def run(self, memories):
        """Starts all kernels on these memories."""
        keepers = [m.keeper for m in memories]
        for prepared, grid, parameters, together in self.launches:
            prepared.start(grid, [p.at(memories) for p in parameters], keepers, together)


def noted(run):
    """(what run() returns, its Notes)"""
    notes = Notes()
    token = _noted.set(notes)
    try:
        return run(), notes
    finally:
        _noted.reset(token)
