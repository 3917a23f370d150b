import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "../../artifacts/programs";
import { corefile } from "../../cluster/manifests/addons/coredns";
import { corednsPlugins } from "../../cluster/network/server-blocks";
import { illegalBlocks, legalBlocks, toleratedBlocks } from "../server-blocks";
import { fixedCluster } from "../unit/components/in-cluster/fixture";

/** Whether CoreDNS accepts this configuration, in a network of its own. */
async function serves(text: string): Promise<boolean> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-corefile-"));
    try {
        writeFileSync(join(folder, "Corefile"), text);
        const script = 'ip link set lo up && exec "$@"';
        const coredns = [programPath("coredns"), "-conf", join(folder, "Corefile")];
        return await new Promise((resolve) => {
            const child = execFile("unshare", ["--map-root-user", "--net", "sh", "-c", script, "sh", ...coredns]);
            let output = "";
            for (const stream of [child.stdout, child.stderr]) {
                stream!.on("data", (data: string) => {
                    output += data;
                    if (/^CoreDNS-/m.test(output)) child.kill("SIGKILL");
                });
            }
            child.on("close", () => resolve(/^CoreDNS-/m.test(output)));
        });
    } finally {
        rmSync(folder, { recursive: true });
    }
}

describe("CoreDNS", function () {
    this.timeout(60_000);
    const { network, dns } = fixedCluster({
        network: { dns: { upstreams: ["10.0.0.2", "[fd00::2]:5353", "fd00::3"] } },
    });

    /** The generated configuration, without an API to ask. */
    const configWith = (serverBlocks?: string) =>
        corefile({ network, dns: { ...dns, serverBlocks } }).replace(/^ {4}kubernetes [^}]*\}\n/m, "");

    it("has the plugins that previews know", () => {
        const output = execFileSync(programPath("coredns"), ["-plugins"], { encoding: "utf8" });
        const plugins = [...output.matchAll(/^(\w+)$/gm)].map(([, name]) => name!);
        assert.deepEqual(corednsPlugins, plugins.sort());
    });

    it("accepts the generated configuration", async () => {
        const text = corefile({ network, dns });
        assert(await serves(text.replace(/^( {4}kubernetes .*\{\n)/m, "$1        endpoint http://127.0.0.1:1\n")));
    });

    for (const [what, text] of Object.entries(legalBlocks)) {
        it(`accepts blocks with ${what}`, async () => assert(await serves(configWith(text))));
    }

    for (const [what, [text]] of Object.entries(illegalBlocks)) {
        const isAccepted = toleratedBlocks.includes(what);
        it(`${isAccepted ? "accepts" : "refuses"} blocks with ${what}, which previews refuse`, async () => {
            assert.equal(await serves(configWith(text)), isAccepted);
        });
    }
});
