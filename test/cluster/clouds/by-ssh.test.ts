import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pulumiEnv } from "../../../local/pulumi";
import { clusterState } from "../../../local/state";
import { ensureEngine } from "../../../machines";
import { applyFirewalls } from "../../../simulator/clouds/digitalocean/firewall";
import { describeLong } from "../../takes-long";
import { type Output, root } from "../cluster";
import { loseControlPlane } from "../control-plane-loss";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { makeSshAccess, type SshAccess, startSshServer } from "./ssh-access";

const cluster = new SimulatedCluster("dossh", simulatedDigitalOcean);
const controller = "dossh-controller-0";
const folder = mkdtempSync(join(tmpdir(), "tradewind-ssh-"));

describeLong("a cluster on a simulated DigitalOcean, accessed by SSH", function () {
    this.timeout(600_000);
    let access: SshAccess;
    const address = () =>
        Object.values(cluster.account.resources.droplets).find(({ name }) => name === controller)!.publicAddress!;

    /** Runs `tradewind` like an operator who has the stack, its backend and a key. */
    async function tradewind(command: string, ...args: string[]): Promise<Output> {
        const account = { TRADEWIND_SIMULATED_ACCOUNT: join(clusterState(cluster.name).dir, "digitalocean.json") };
        const theirs = pulumiEnv(clusterState(cluster.name), [], { ...process.env, ...account });
        const env = { ...theirs, PATH: `${access.bin}:${theirs.PATH}` };
        const bySsh = ["--stack", cluster.name, "--ssh-user", "root", "--ssh-key", access.key];
        const all = ["dev/run.cjs", "tradewind", command, ...args, ...bySsh];
        return promisify(execFile)("node", all, { cwd: root, env, maxBuffer: 64 << 20 });
    }

    before(async () => {
        await ensureEngine();
        access = await makeSshAccess(folder);
        const snippet = {
            ignition: { version: "3.5.0" },
            passwd: { users: [{ name: "root", sshAuthorizedKeys: [access.publicKey] }] },
        };
        await cluster.prepare(() => ({
            region: "fra1",
            workerPools: [{ name: "default" }],
            controllers: { snippets: [JSON.stringify(snippet)] },
        }));
        await cluster.up();
        await cluster.ready();
    });
    after(async () => {
        await cluster.destroy();
        rmSync(folder, { recursive: true });
    });

    it("explains how to get access while SSH is blocked, and trusts no unknown host", async () => {
        const hostKey = await startSshServer(cluster.name, controller);
        await assert.rejects(
            tradewind("snapshot", "--list"),
            /SSH is blocked; see docs\/recovery.md on how to allow it/,
        );
        // As `doctl compute firewall add-rules` does.
        const { firewalls } = cluster.account.resources;
        const [id, firewall] = Object.entries(firewalls).find(([, { name }]) => name === "dossh-controllers")!;
        const sourceAddresses = [address().replace(/\d+$/, "1")];
        const rule = { protocol: "tcp", portRange: "22", sourceAddresses };
        cluster.account.put("firewalls", id, { ...firewall, inboundRules: [...firewall.inboundRules, rule] });
        await applyFirewalls(cluster.account);

        await assert.rejects(tradewind("snapshot", "--list"), /its host key is unknown/);
        access.trust(address(), hostKey);
    });

    it("reports its findings, including what only machines know, and has snapshots", async () => {
        const { stdout } = await tradewind("status");
        assert.match(stdout, new RegExp(controller));
        await tradewind("snapshot");
        assert.match((await tradewind("snapshot", "--list")).stdout, /\.db|\d{8}/);
    });

    it("is recovered from etcd when control plane and checkpoints are destroyed", async () => {
        await cluster.kubectl("create", "configmap", "kept", "--from-literal", "key=value");
        await loseControlPlane(cluster, [controller]);
        const { stdout } = await tradewind("recover", "--from", "etcd", "--timeout", "300");
        const [told] = /the cluster's own control plane serves again after .* s/.exec(stdout) ?? [];
        assert.ok(told, stdout);
        console.log(`      ${told}`);
        assert.equal((await cluster.get<{ data: { key: string } }>("configmap", "kept")).data.key, "value");
        await cluster.ready();
    });

    it("shows no change afterwards", () => cluster.pulumi("preview", "--non-interactive", "--expect-no-changes"));
});
