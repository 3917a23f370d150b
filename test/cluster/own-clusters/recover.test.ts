import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { eventually, type Output, TestCluster } from "../cluster";
import { loseControlPlane } from "../control-plane-loss";

const lost = new TestCluster("recover");
const controller = "recover-controller-0";

/** Ends the control plane and takes away its checkpoints: only etcd is left. */
const loseAll = () => loseControlPlane(lost, [controller]);

async function isHealthy(): Promise<void> {
    await eventually("the cluster to be healthy", () => lost.tradewind("status"), 120);
}

/** What a command said of its end, for the log. */
function told({ stdout }: Output, pattern: RegExp): void {
    const [line] = pattern.exec(stdout) ?? [];
    assert.ok(line, stdout);
    console.log(`      ${line}`);
}

describe("a control plane that is gone", function () {
    this.timeout(600_000);

    before(() => lost.start("--controllers", "1", "--workers", "1", "--yes"));
    after(() => lost.destroy());

    it("had its service addresses made by nftables, and has them made by iptables", async () => {
        const worker = "recover-default-0";
        const nftables = () => lost.exec(worker, "nft list tables | grep kube-proxy || true");
        assert.match(await nftables(), /table ip kube-proxy/);
        await lost.pulumi("config", "set", "tradewind:kubeProxyMode", "iptables");
        await lost.pulumi("up", "--yes", "--skip-preview");
        await eventually("the other mode's rules", async () => {
            assert.match(await lost.exec(worker, "iptables-save"), /-A KUBE-SERVICES -d 10\.3\.0\.10\/32 /);
            assert.equal(await nftables(), "", "nothing is left of the first");
            assert.equal(await lost.exec(worker, "curl -sk -m 5 https://10.3.0.1/readyz"), "ok");
            const name = "kubernetes.default.svc.cluster.local";
            assert.match(await lost.exec(worker, `busybox nslookup -type=a ${name} 10.3.0.10`), /10\.3\.0\.1$/m);
        });
    });

    it("is brought back from etcd when its pods and checkpoints are destroyed, through a power cut", async () => {
        await lost.kubectl("create", "configmap", "kept", "--from-literal", "key=value");
        await loseAll();
        await assert.rejects(lost.tradewind("recover", "--from", "api"), /the API must answer for --from api/);
        // Interrupted when the controller has just been told: it goes on, and so does the next run.
        await assert.rejects(lost.tradewind("recover", "--from", "etcd", "--timeout", "1"), /not done within 1 s/);
        await powerCut("recover", controller);
        const output = await lost.tradewind("recover", "--from", "etcd", "--timeout", "300");
        told(output, /the cluster's own control plane serves again, after .* s/);
        assert.match(output.stdout, /going on with it/);
        assert.equal((await lost.get<{ data: { key: string } }>("configmap", "kept")).data.key, "value");
        const left = await lost.exec(controller, "ls /etc/kubernetes/manifests /opt/tradewind/bootstrap");
        assert.doesNotMatch(left, /bootstrap-kube|secrets/);
        await isHealthy();
    });

    it("is held while a spec that lets nothing start is mended", async () => {
        const patch = (op: string) =>
            lost.kubectl(
                ...["--namespace", "kube-system", "patch", "daemonset", "kube-apiserver", "--type", "json", "--patch"],
                JSON.stringify([{ op, path: "/spec/template/spec/containers/0/command/1", value: "--no-such-flag" }]),
            );
        await patch("add");
        await lost.kubectl(
            ...["--namespace", "kube-system", "delete", "pod", "--selector", "k8s-app=kube-apiserver", "--wait=false"],
        );
        await loseAll();
        told(
            await lost.tradewind("recover", "--from", "etcd", "--hold", "--timeout", "300"),
            /the temporary control plane serves, after .* s, until it is released/,
        );
        await patch("remove");
        told(
            await lost.tradewind("recover", "--release", "--timeout", "300"),
            /the cluster's own control plane serves again, after .* s/,
        );
        await isHealthy();
        await lost.pulumi("preview", "--expect-no-changes");
    });

    it("is restored on new machines with every object as it was: the drill", async () => {
        const output = await lost.tradewind("drill", "--yes");
        told(output, /every one of \d+ objects is as it was/);
        told(output, /from the loss of all controllers to every pod Ready: .* s/);
        await isHealthy();
        await lost.pulumi("preview", "--expect-no-changes");
    });
});
