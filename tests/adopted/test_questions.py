"""Questions that a reader of these vaults would ask, and the note that answers each is among the first."""

from __future__ import annotations

from tests.adopted.vaults import Adopted

FIRST = 3

QUESTIONS = {
    "kepano-vault": {
        "how do I decide what to buy by cost per use": "Clippings/Buy wisely.md",
        "recipe for a dessert with nectarines": "References/Brown butter nectarine tart.md",
        "Kevin Kelly birthday advice": "Clippings/68 Bits of Unsolicited Advice.md",
        "feeling of trusting the chef, omakase": "Clippings/In good hands.md",
        "notes with titles that distill an idea": (
            "Notes/Evergreen notes turn ideas into objects that you can manipulate.md"
        ),
        "meeting about the book Out of Control and emergence": "Notes/2023-09-12 Meeting with Steph.md",
        "the machine with buttons for everything, by Forster": "References/The Machine Stops.md",
        "e-ink mode of the theme": "Notes/Minimal Theme.md",
        "when was the trip to Japan": "Notes/2023 Japan Trip.md",
        "how is this vault organised, folders and templates": "Readme.md",
    },
    "dendron-vault": {
        "publish notes with netlify": "dendron.topic.publish.cook.netlify.md",
        "how do I organize notes when I don't know the hierarchy ahead of time": (
            "dendron.guides.workflows.amoeba.md"
        ),
        "comments in published notes with GitHub discussions": "dendron.topic.publish.giscus.md",
        "what usage data is collected and how to opt out": "dendron.ref.telemetry.md",
        "difference to Roam": "dendron.alternatives.roam-vs-dendron.md",
        "move my vault to a self contained vault": "dendron.topic.vaults.self-contained.migrate.md",
        "append one note to another and update its backlinks": (
            "dendron.topic.refactoring.commands.merge-note.md"
        ),
        "symbols for the priority of a task": "dendron.topic.tasks.config.priority-symbols.md",
        "extensions that are incompatible with Dendron": (
            "dendron.guides.troubleshooting.incompatible-extensions.md"
        ),
        "deploy to Azure static web apps": "dendron.topic.publish.cook.azure-static-web-app.md",
    },
    "mnemonic-notes": {
        "why not DuckDB": "duckdb-as-a-derived-retrieval-index-evaluation-and-recommend-6c4c32b9.md",
        "tilde in a vault path is not expanded": (
            "path-resolution-support-both-absolute-and-tilde-home-paths-e48a0280.md"
        ),
        "forked repository uses upstream as its identity": (
            "project-identity-remote-override-for-forked-repos-8203a311.md"
        ),
        "which hash do chunk embedding files use": (
            "document-source-chunk-embeddings-use-xxh128-for-filenames-an-e3e988b8.md"
        ),
        "z.record build failure after upgrade": (
            "zod-v4-migration-requires-explicit-key-schema-for-z-record-0229f4e5.md"
        ),
        "multiline JSON piped to the stdio server fails": (
            "mcp-stdio-protocol-each-json-rpc-message-must-be-one-line-7a4c9438.md"
        ),
        "why are raw diffs not shown by default": (
            "why-default-temporal-mode-avoids-raw-diffs-5a606840.md"
        ),
        "how to write a changelog": "changelog-writing-principles-87cdbc5b.md",
        "run with docker compose and ollama": "mnemonic-docker-and-ollama-compose-setup-e58f1e98.md",
        "what does verbose control in recall": (
            "verbose-flag-must-not-gate-pipeline-inputs-only-output-filte-e65e1afc.md"
        ),
    },
}  # fmt: skip
"""For each vault: the question, and the note that a reader would open."""


def test_the_note_that_answers_is_among_the_first_that_are_recalled_and_found(adopted: Adopted) -> None:
    missed = {}
    with adopted.open() as vault:
        for question, path in QUESTIONS[adopted.name].items():
            recalled = [one.entry.path for one in vault.person.recall(question).hits[:FIRST]]
            found = [one.entry.path for one in vault.person.search(question).hits[:FIRST]]
            if path not in recalled or path not in found:
                missed[question] = (recalled, found)
    assert missed == {}
