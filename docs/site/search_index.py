"""The index of the site's search: which entry (a page, a section, a name of the API) has which word, with what score.

A score is 120 for a word of a page's title, 40 for a word of a section's heading, 28 for a whole name of the API (less for a
member of a class), 6 for a part of a name, and 1 for each use in the text, 8 of them at most, times a weight of the kind of page.
An answer has every word of the query, and its score is the sum over the words. A query word that is a prefix of an indexed word
counts half. The score of a page or a name that equals the query is multiplied by 3, that of a section by 2. site.js ranks in the
same way in the browser; tests/docs/site_test.py compares the two.
"""
import collections
import re

TITLE, HEADING, NAME, MEMBER, FIELD, PART, USES = 120, 40, 28, 20, 8, 6, 8
EQUAL = {"page": 3, "api": 3, "section": 2}
WEIGHTS = [("docs/reference/", 1.0), ("docs/howto/", 1.0), ("docs/tutorial/", 1.0), ("docs/glossary", 0.8),
           ("docs/documents", 0.8), ("docs/cute_compatibility", 0.8), ("index.html", 0.9),
           ("docs/errors", 0.5), ("docs/", 0.6), ("CONTRIBUTING", 0.6)]
ELSEWHERE = 0.35  # sources, measurements, the log of changes
FADED = re.compile(r"docs/(adr|measurements)/")
CHAPTER = re.compile(r"^\d+ ")  # of the tutorial
WORD = re.compile(r"[a-z0-9_]+")


STEMS = [(re.compile(r"(\w\w)ies$"), r"\1y"), (re.compile(r"(\w\w[^s_])s$"), r"\1"), (re.compile(r"(\w{4})ing$"), r"\1"),
         (re.compile(r"(\w{4})e$"), r"\1")]


def stem(word):
    """copies, copy; layouts, layout; swizzling, swizzle: the same."""
    for ending, kept in STEMS:
        word = ending.sub(kept, word)
    return word


def words_of(text):
    return [stem(word) for word in WORD.findall(text.lower())]


def weight_of(url):
    if FADED.match(url):
        return ELSEWHERE
    return next((weight for begin, weight in WEIGHTS if url.startswith(begin)), ELSEWHERE)


class Index:
    def __init__(self):
        self.entries, self.words = [], collections.defaultdict(dict)

    def add(self, title, of, url, kind, text, scores):
        number = len(self.entries)
        self.entries.append({"key": " ".join(words_of(CHAPTER.sub("", title))), "title": title, "of": of, "url": url,
                             "kind": kind, "text": text})
        for word, score in scores.items():
            if score > 0:
                self.words[word][number] = score

    def add_pages(self, sections, titles):
        """mkdocs' sections of all pages, a page (whose location has no anchor) before its sections; the titles by location."""
        by_page = collections.defaultdict(list)
        for section in sections:
            by_page[section["location"].partition("#")[0]].append(section)
        for page, parts in by_page.items():
            title = titles.get(page, parts[0]["title"])
            whole = " ".join(part["text"] for part in parts)
            first = next((part["text"] for part in parts[1:] if part["title"] == title), parts[0]["text"])
            self.add_section({**parts[0], "title": title}, "", TITLE, whole, first or whole, "page")
            for part in parts[1:]:
                if part["title"] != title:  # the heading of the page itself
                    self.add_section(part, title, HEADING, part["text"], part["text"], "section")

    def add_section(self, section, of, of_title, text, shown, kind):
        weight = weight_of(section["location"])
        scores = collections.Counter()
        for word, uses in collections.Counter(words_of(text)).items():
            scores[word] += min(uses, USES)
        for word in set(words_of(section["title"])):
            scores[word] += of_title
        self.add(section["title"], of, section["location"], kind, " ".join(shown.split()),
                 {word: max(1, round(weight * score)) for word, score in scores.items()})

    def add_names(self, names):
        """(name, kind, header, url, declaration) of the API."""
        for name, kind, header, url, declaration in names:
            parts = [part for part in re.split(r"_+", name.lower()) if part]
            whole = NAME if " of " not in kind else FIELD if kind.startswith("variable") else MEMBER
            scores = {stem(part): PART for part in parts}
            scores |= {word: whole for word in words_of(name)}
            self.add(name, f"{kind} · {header}" if header else kind, url, "api", declaration, scores)

    def as_json(self):
        return {"entries": self.entries,
                "words": {word: [value for pair in sorted(of.items()) for value in pair]
                          for word, of in sorted(self.words.items())}}


def ranked(index, query, most=12):
    """The entries that answer a query, the best first."""
    words = words_of(query)
    total = None
    for word in words:
        best = collections.Counter()
        for indexed, scores in index["words"].items():
            if indexed.startswith(word):
                share = 1 if indexed == word else 0.5
                for entry, score in zip(scores[::2], scores[1::2]):
                    best[entry] = max(best[entry], share * score)
        total = best if total is None else {entry: total[entry] + best[entry] for entry in total if entry in best}
    same = " ".join(words)
    entries = index["entries"]
    final = {entry: score * (EQUAL[entries[entry]["kind"]] if entries[entry]["key"] == same else 1)
             for entry, score in (total or {}).items()}
    order = sorted(final, key=lambda entry: (-final[entry], entry))
    return [entries[entry] for entry in order[:most]]
