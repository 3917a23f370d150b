import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { isLong } from "../../takes-long";
import { eventually, type Output } from "../cluster";
import { loseControlPlane } from "../control-plane-loss";
import { life, lifeBegins } from "../life";

const controller = `${life.name}-controller-0`;

/** Kills the control plane and removes its checkpoints: only etcd is left. */
const loseAll = () => loseControlPlane(life, [controller]);

async function isHealthy(): Promise<void> {
    await eventually("the cluster to be healthy", () => life.tradewind("status"), 120);
}

/** A command's result, for the log. */
function told({ stdout }: Output, pattern: RegExp): void {
    const [line] = pattern.exec(stdout) ?? [];
    assert.ok(line, stdout);
    console.log(`      ${line}`);
}

describe("a lost control plane", function () {
    this.timeout(600_000);

    before(() => lifeBegins());
    // Among the long tests, its life goes on.
    after(() => (isLong ? undefined : life.destroy()));

    it("had its service addresses implemented by nftables, and now has them implemented by iptables", async () => {
        const worker = `${life.name}-default-0`;
        const nftables = () => life.exec(worker, "nft list tables | grep kube-proxy || true");
        assert.match(await nftables(), /table ip kube-proxy/);
        await life.pulumi("config", "set", "tradewind:kubeProxyMode", "iptables");
        await life.pulumi("up", "--yes", "--skip-preview");
        await eventually("the other mode's rules", async () => {
            assert.match(await life.exec(worker, "iptables-save"), /-A KUBE-SERVICES -d 10\.3\.0\.10\/32 /);
            assert.equal(await nftables(), "", "no rule of the first is left");
            assert.equal(await life.exec(worker, "curl -sk -m 5 https://10.3.0.1/readyz"), "ok");
            const name = "kubernetes.default.svc.cluster.local";
            assert.match(await life.exec(worker, `busybox nslookup -type=a ${name} 10.3.0.10`), /10\.3\.0\.1$/m);
        });
    });

    it("is recovered from etcd when its pods and checkpoints are destroyed, through a power cut", async () => {
        await life.kubectl("create", "configmap", "kept", "--from-literal", "key=value");
        await loseAll();
        await eventually("status to name the recovery", () =>
            assert.rejects(
                life.tradewind("status"),
                new RegExp(
                    `no controller runs it or has a checkpoint of it[\\s\\S]*tradewind recover --from etcd --name ${life.name}\\b`,
                ),
            ),
        );
        await assert.rejects(
            life.tradewind("recover", "--from", "api"),
            /the API does not answer, which --from api requires/,
        );
        // Interrupted right after the controller was informed: it continues, and so does the next run.
        await assert.rejects(life.tradewind("recover", "--from", "etcd", "--timeout", "1"), /not done within 1 s/);
        await powerCut(life.name, controller);
        const output = await life.tradewind("recover", "--from", "etcd", "--timeout", "300");
        told(output, /the cluster's own control plane serves again after .* s/);
        assert.match(output.stdout, /resuming the recovery on/);
        assert.equal((await life.get<{ data: { key: string } }>("configmap", "kept")).data.key, "value");
        const left = await life.exec(controller, "ls /opt/tradewind/bootstrap");
        assert.doesNotMatch(left, /manifests|secrets/);
        await isHealthy();
    });

    it("is restored on new machines with every object unchanged: the drill", async () => {
        const output = await life.tradewind("drill", "--yes");
        told(output, /all \d+ objects are unchanged/);
        told(output, /from the loss of all controllers to every pod Ready: .* s/);
        await isHealthy();
        await life.pulumi("preview", "--expect-no-changes");
    });
});
