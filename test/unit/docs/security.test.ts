import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../../bundling/agents";
import { nodePorts, ports } from "../../../cluster/network/ports";
import { inCluster } from "../../../dev/reference/permissions";
import { root, textOf } from "./pages";

const text = textOf("docs/security.md");

/** The first cells of the table below a heading. */
function firstCells(heading: string): string[] {
    const section = text.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
    return [...section.matchAll(/^\| (.*?) +\|/gm)].map(([, cell]) => cell!).slice(2);
}

describe("the security page", () => {
    it("lists every port that a node listens on, and no other", () => {
        const listed = firstCells("Ports").map((cell) => cell.replace(" (UDP)", ""));
        const known = [...Object.values(ports).map(String), nodePorts.join("-")];
        assert.deepEqual([...new Set(listed)].sort(), known.sort());
    });

    it("lists every key that the stack creates, and no other", () => {
        const folder = join(root, "components/pki");
        const pki = readdirSync(folder)
            .map((file) => readFileSync(join(folder, file), "utf8"))
            .join("\n");
        const made = [
            ...pki.matchAll(
                /(?:issuer\.(?:authority|leaf|client|key)\(|#ca\("\w+",)\s*(?:\w+ === 1 \? )?(?:"([^"]+)"|`([^`]+)`)/g,
            ),
        ].map(([, plain, template]) => plain ?? template!.replace(/\$\{.*\}/, ""));
        assert.ok(made.length > 12, String(made));
        const listed = firstCells("Keys")
            .filter((cell) => cell.startsWith("`"))
            .map((cell) => cell.replaceAll("`", "").replace(/<.*>/, ""));
        assert.deepEqual(listed.sort(), [...new Set(made)].sort());
    });
});

describe("the permissions reference", () => {
    /** Not run as pods: before there is a cluster, or where Pulumi runs. */
    const outside = ["await-name", "bootstrap", "bootstrap-receiver", "bootstrap-report"];

    it("contains every agent that runs as a pod", () => {
        const workloads = Object.values(inCluster)
            .flat()
            .map(({ metadata }) => metadata.name);
        const missing = Object.keys(AGENTS).filter(
            (agent) => !outside.includes(agent) && !workloads.some((name) => name.startsWith(agent)),
        );
        assert.deepEqual(missing, []);
    });

    it("contains every account", () => {
        const manifests = Object.values(inCluster).flat();
        const bound = JSON.stringify(manifests.filter(({ kind }) => kind.endsWith("Binding")));
        const accounts = manifests.filter(({ kind }) => kind === "ServiceAccount");
        assert.ok(accounts.length > 8);
        for (const { metadata } of accounts) assert.ok(bound.includes(`"${metadata.name}"`), metadata.name);
    });
});
