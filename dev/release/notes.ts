import { readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "../../command-line/command";
import { required, UsageError, value } from "../../command-line/parse";
import { PROJECT_DIR } from "../../local/pulumi";

/** `npm run release-notes`: prints a version's section of the changelog. The release workflow stops if it fails. */
export const program = command(
    {
        name: "npm run release-notes --",
        about: "Prints the changelog of this version, and fails if tag, package.json and CHANGELOG.md disagree.",
        options: { tag: required(value("TAG", "tag of the release, such as v0.1.0")) },
    },
    ({ tag }) => {
        const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
        console.log(releaseNotes(tag, version, readFileSync(join(PROJECT_DIR, "CHANGELOG.md"), "utf8")));
        return 0;
    },
);

export const main = program.run;

/**
 * The section of a version, without its heading.
 *
 * @param tag - of the release: `v` and the version
 * @param version - in package.json
 * @throws if they differ, or the changelog has no dated section for it
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
    if (tag !== `v${version}`) {
        throw new UsageError(`--tag must be v${version}, the version in package.json (got ${tag})`);
    }
    const sections = changelog.split(/^## /m).slice(1);
    const section = sections.find((each) => each.split(/[,\s]/, 1)[0] === version);
    const [heading = "", ...lines] = section?.split("\n") ?? [];
    if (!/ \d{4}-\d{2}-\d{2}$/.test(heading)) {
        throw new UsageError(`CHANGELOG.md must have a heading "## ${version}, <date>" (got ${heading || "none"})`);
    }
    return lines.join("\n").trim();
}
