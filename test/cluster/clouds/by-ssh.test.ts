import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine } from "../../../machines";
import { applyFirewalls } from "../../../simulator/clouds/digitalocean/firewall";
import { describeLong } from "../../takes-long";
import { loseControlPlane } from "../control-plane-loss";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";
import { makeSshAccess, type SshAccess, sshSnippet, startSshServer, tradewindBySsh } from "./ssh-access";

const cluster = new SimulatedCluster("dossh", simulatedDigitalOcean);
const controller = "dossh-controller-0";
const folder = mkdtempSync(join(tmpdir(), "tradewind-ssh-"));

describeLong("a cluster on a simulated DigitalOcean, accessed by SSH", function () {
    this.timeout(600_000);
    let access: SshAccess;
    const address = () =>
        Object.values(cluster.account.resources.droplets).find(({ name }) => name === controller)!.publicAddress!;

    const tradewind = (command: string, ...args: string[]) =>
        tradewindBySsh([cluster.name, "digitalocean"], access, command, ...args);

    before(async () => {
        await ensureEngine();
        access = await makeSshAccess(folder);
        await cluster.prepare(() => ({
            region: "fra1",
            workerPools: [{ name: "default" }],
            controllers: { snippets: [sshSnippet(access)] },
            snapshotSpace: { name: "dossh-snapshots" },
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
        const { stdout: taken } = await tradewind("snapshot");
        assert.match(taken, /^copied to the store: s3:\/\/dossh-snapshots\/dossh\/dossh-\S+\.db\.enc$/m);
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

    it("is restored from the encrypted snapshot in its Space, with the key in the stack's state", async () => {
        const { stdout: taken } = await tradewind("snapshot");
        const [, name] = /^(\S+): \d+ bytes/m.exec(taken) ?? [];
        await cluster.kubectl("create", "configmap", "late");
        await assert.rejects(
            tradewind("recover", "--from", "snapshot", "--store", "--snapshot", "dossh-none", "--discard-data"),
            /NoSuchKey/,
        );
        // Nothing was changed by a snapshot that does not exist.
        await cluster.kubectl("get", "configmap", "late");
        const { stdout } = await tradewind(
            "recover",
            "--from",
            "snapshot",
            "--store",
            "--discard-data",
            "--timeout",
            "300",
        );
        assert.ok(stdout.includes(`${controller} fetched ${name}: `), stdout);
        const [told] = /the cluster's own control plane serves again after .* s/.exec(stdout) ?? [];
        assert.ok(told, stdout);
        console.log(`      ${told}`);
        await assert.rejects(cluster.kubectl("get", "configmap", "late"), /NotFound/);
        assert.equal((await cluster.get<{ data: { key: string } }>("configmap", "kept")).data.key, "value");
        await assert.rejects(cluster.exec(controller, "ls /opt/tradewind/etcd-restore/store"), /No such file/);
        await cluster.ready();
    });

    it("writes its keys to a file, which decrypts without the stack", async () => {
        const keys = join(folder, "keys");
        assert.match((await tradewind("snapshot", "--keys-to", keys)).stdout, /wrote .*: 1 key$/m);
        assert.match(readFileSync(keys, "utf8"), /^[\w+/]{43}=\n$/);
    });

    it("shows no change afterwards", () => cluster.pulumi("preview", "--non-interactive", "--expect-no-changes"));
});
