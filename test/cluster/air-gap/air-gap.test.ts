import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse, stringify } from "yaml";
import { cacheDir } from "../../../cache";
import { readConfig, writeConfig } from "../../../local/stack-config";
import { createState } from "../../../local/state";
import * as machines from "../../../machines";
import { containerName, INFRA } from "../../../machines/names";
import { type KubernetesVersion, PREVIOUS_MINOR, versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, root, TestCluster } from "../cluster";
import type { NodeObject } from "../node-sight";
import { BundleSource } from "./site";

const run = promisify(execFile);
const command = join(root, "dev/tradewind.cjs");

describeLong("a site without internet", function () {
    this.timeout(900_000);
    const cluster = new TestCluster("airgap");
    const nodes = [`${cluster.name}-controller-0`, `${cluster.name}-default-0`];
    const folder = mkdtempSync(join(tmpdir(), "tradewind-air-gap-"));
    const archive = (version: string) => join(folder, `${version}.tar`);
    let address: string;
    /** What the network's mirror usually serves: images and files. */
    let usual: readonly string[];
    let server: ChildProcess;
    /** What the server printed. */
    let said: string;
    let missed: string;

    before(async function () {
        this.timeout(1_800_000);
        const source = new BundleSource(folder);
        const from = await source.start();
        try {
            for (const version of [PREVIOUS_MINOR, versions.kubernetes]) {
                const file = join(folder, `Pulumi.${version}.yaml`);
                writeFileSync(file, stringify({ config: configOf(version) }));
                await run("node", [command, "bundle", "--output", archive(version), "--from", from, file]);
            }
        } finally {
            // From here on, only the bundles have images and files.
            source.stop();
        }
        await machines.ensureEngine();
        const subnet = await machines.pickSubnet(cluster.name, ["10.2.0.0/16", "10.3.0.0/16"]);
        address = subnet.replace(".0/24", ".1");
        await machines.createNetwork({ cluster: cluster.name, subnet, domain: "tradewind.internal" });
        usual = ["5000/v2/", "8080/index.json"].map((path) => `http://${subnet.replace(".0/24", ".2")}:${path}`);
        await eventually("the mirror", () => Promise.all(usual.map(isServed)));
        await withoutMirror();
        for (const url of usual) await assert.rejects(isServed(url), url);
        await serve(PREVIOUS_MINOR);
        writeConfig(createState(cluster.name).config, { "tradewind:machineCidr": subnet, ...settings() });
        await cluster.start("--controllers", "1", "--workers", "1", "--kubernetes", PREVIOUS_MINOR, "--yes");
    });
    after(async () => {
        server?.kill("SIGTERM");
        await cluster.destroy();
        rmSync(folder, { recursive: true });
    });

    /** Serves bundles on the machines' network, by the last one's settings. */
    async function serve(...kubernetes: readonly string[]): Promise<void> {
        const args = kubernetes.flatMap((version) => ["--serve", archive(version)]);
        server = spawn("node", [command, "bundle", ...args, "--listen", `${address}:5000`]);
        [said, missed] = ["", ""];
        server.stderr!.on("data", (chunk) => (missed += chunk));
        await new Promise<void>((resolve, reject) => {
            server.stdout!.on("data", (chunk) => {
                said += chunk;
                if (said.includes("cniPlugins:") && said.endsWith("\n\n")) resolve();
            });
            server.once("close", () => reject(new Error(`the server ended: ${said}${missed}`)));
        });
    }

    /** The printed keys of stacks. */
    function settings(): Record<string, unknown> {
        return parse(said.slice(said.indexOf("config:"))).config;
    }

    /** Stops what usually serves images and files on the network, for good. */
    async function withoutMirror(): Promise<void> {
        const script = [
            "rm $(command -v docker-registry) $(command -v busybox)",
            'for p in /proc/[0-9]*; do case $(tr "\\0" " " <$p/cmdline) in docker-registry*|busybox*) kill ${p#/proc/};; esac; done',
        ].join("\n");
        await machines.docker(["exec", containerName(cluster.name, INFRA), "sh", "-c", script]);
    }

    const isServed = async (url: string) => {
        assert.equal((await fetch(url)).status, 200, url);
    };

    const answers = async (node: string, url: string) =>
        (await cluster.exec(node, `curl -sf -m 3 -o /dev/null ${url} && echo yes || echo no`)).trim() === "yes";

    const requireOnlyBundle = async (names: readonly string[]) => {
        for (const node of names) {
            assert(await answers(node, `http://${address}:5000/v2/`), node);
            for (const url of usual) {
                assert(!(await answers(node, url)), `${node} reaches ${url}`);
            }
        }
        assert.equal(missed, "", "machines asked for something that no bundle has");
    };

    const runs = async (version: string, names: readonly string[]) => {
        const { items } = await cluster.get<{ items: NodeObject[] }>("nodes");
        const kubelets = items.map(({ metadata, status }) => [metadata.name, status.nodeInfo.kubeletVersion]);
        assert.deepEqual(Object.fromEntries(kubelets), Object.fromEntries(names.map((name) => [name, `v${version}`])));
        const { gitVersion } = JSON.parse(await cluster.kubectl("get", "--raw", "/version"));
        assert.equal(gitVersion, `v${version}`);
    };

    it("starts a cluster whose machines reach nothing but a bundle's server", async () => {
        await requireOnlyBundle(nodes);
        await runs(PREVIOUS_MINOR, nodes);
    });

    it("upgrades it from a second bundle", async () => {
        server.kill("SIGTERM");
        await once(server, "close");
        await serve(PREVIOUS_MINOR, versions.kubernetes);
        const state = createState(cluster.name);
        writeConfig(state.config, { ...readConfig(state.config), ...settings() });
        await cluster.start("--kubernetes", versions.kubernetes, "--yes");
        await requireOnlyBundle(nodes);
        await runs(versions.kubernetes, nodes);
    });

    it("adds a worker from the second bundle alone", async () => {
        server.kill("SIGTERM");
        await once(server, "close");
        await serve(versions.kubernetes);
        await cluster.start("--workers", "2", "--yes");
        const all = [...nodes, `${cluster.name}-default-1`];
        await requireOnlyBundle(all);
        await runs(versions.kubernetes, all);
    });

    it("has nothing to change in a second up", async () => {
        const { stdout } = await cluster.start("--yes");
        assert.match(stdout, /no changes: the cluster is up to date/);
    });
});

/** What a bundle depends on: images and files of the cache were built here, with other checksums than published ones. */
function configOf(version: KubernetesVersion): Record<string, unknown> {
    const sha256 = (path: string) =>
        createHash("sha256")
            .update(readFileSync(join(cacheDir(), "files", path)))
            .digest("hex");
    const cni = `v${versions.cniPlugins}`;
    return {
        "tradewind:cloud": "local",
        "tradewind:kubernetesVersion": version,
        "tradewind:imageDigests": false,
        "tradewind:downloads": {
            kubelet: { sha256: sha256(`kubernetes/v${version}/kubelet`) },
            cniPlugins: { sha256: sha256(`cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`) },
        },
    };
}
