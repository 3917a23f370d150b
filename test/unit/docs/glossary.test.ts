import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pages, root, textOf } from "./pages";

/** Words that no text of ours has, and what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
    [/\banew\b/i, "again; recreate, replace"],
    [/\bbesides?\b/i, "next to, alongside, in addition to"],
    [/\b(nobody|whoever)\b/i, "nothing, no process, the client"],
    [/\bamiss\b/i, "wrong, not ready"],
    [/\bknock(s|ed|ing)?\b/i, "TLS probe"],
    [/\b(this|one) computer\b/i, "your machine, localhost"],
    [/\bwhat (takes ingress|serves)\b/i, "the ingress load balancer"],
    [/(?<!and\/or )\brights\b/i, "permissions"],
    [/\bwants a look\b/i, "needs attention"],
    [/\bcan't be asked\b/i, "is unreachable"],
    [/\bwhat is let in\b/i, "allowed traffic"],
    [/\bno way out\b/i, "no outbound internet"],
    [/\bchosen once\b/i, "fixed at creation"],
];

/** Words that no prose of the documentation has; code has some of them in names. */
const inProse: typeof words = [
    [/\b(told|tells)\b/i, "reports, logs"],
    [/\b(asks|asked)\b/i, "requests, queries"],
    [/\b(wants|wanted)\b/i, "desired, requested"],
    [/\bgone\b/i, "missing, removed, no longer exists"],
    [/\b(sight|standing)\b/i, "observation, progress"],
    [/\bauthorit(y|ies)\b/i, "CA, CAs"],
    [/\beverybody\b/i, "everyone, any address"],
    [/\bnot proven\b/i, "not tested"],
];

/** Words that nothing in the code is named, and what to name it instead. */
const asNames: typeof words = [
    [/^told$/, "reported, logged"],
    [/^wanted$/, "desired, requested, expected"],
    [/^looks?$/, "observe, reconcile, observation"],
    [/^seen$/, "observed"],
    [/^standing$/, "progress, state"],
    [/^gone$/, "removed, missing, stopped"],
    [/^away$/, "unreachable, notReady"],
    [/^made$/, "created, built"],
];

/** What is not a name in TypeScript: comments and strings. */
const notNames = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** A word that is followed by what follows names, not by another word. */
const names = /\b[a-z]+(?=\??\s?[:=,;.()[\]{}<>])/g;

/** The Unix user, by its name. */
const allowed = /[`"'|;/] ?nobody\b|\bas nobody\b/;

/** This list, recordings, and scripts that are part of images: another word would build every image again. */
const exempt = [
    /^test\/unit\/docs\/glossary\.test\.ts$/,
    /\.golden\.|\/recorded\/|\/testdata\/|package-lock\.json$|\.(br|png|svg)$/,
    /^machines\/image\/|^artifacts\/(python|go)\/|^artifacts\/(layer|oci)\.ts$/,
    /^agents\/(harness\/last-lines|boot\/report\/plan)\.ts$/,
];

describe("our texts", () => {
    it("have no word of the glossary's left column", () => {
        const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
        const found = files
            .filter((file) => !exempt.some((each) => each.test(file)))
            .flatMap((file) =>
                readFileSync(join(root, file), "utf8")
                    .split("\n")
                    .flatMap((line, index) =>
                        words
                            .filter(([word]) => word.test(line) && !allowed.test(line))
                            .map(([word, instead]) => `${file}:${index + 1}: ${word.source} (${instead}): ${line}`),
                    ),
            );
        assert.equal(found.length, 0, found.join("\n"));
    });

    it("name nothing in the code of the product by such a word", () => {
        const files = execFileSync("git", ["ls-files", "*.ts", ":!test", ":!stacks"], { cwd: root, encoding: "utf8" });
        const found = files
            .split("\n")
            .filter((file) => file && !exempt.some((each) => each.test(file)))
            .flatMap((file) => {
                const code = readFileSync(join(root, file), "utf8").replace(notNames, "");
                return [...new Set(code.match(names))].flatMap((name) =>
                    asNames.filter(([word]) => word.test(name)).map(([, instead]) => `${file}: ${name} (${instead})`),
                );
            });
        assert.deepEqual(found, []);
    });

    for (const page of pages) {
        it(`have none in the prose of ${page}`, () => {
            const prose = textOf(page)
                .replace(/^(```|~~~)[\s\S]*?^\1|^ {4}.*$|^<!--.*-->$/gm, "")
                .replace(/`[^`]*`|\]\([^)]*\)/g, "");
            const found = inProse.flatMap(([word, instead]) =>
                prose
                    .split("\n")
                    .filter((line) => word.test(line))
                    .map((line) => `${word.source} (${instead}): ${line}`),
            );
            assert.deepEqual(found, []);
        });
    }
});
