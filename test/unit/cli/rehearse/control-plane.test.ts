import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiserverFlags } from "../../../../cli/rehearse/control-plane";
import { fakeCredentials, fixedCluster } from "../../components/in-cluster/fixture";

describe("kube-apiserver of a rehearsal", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-rehearse-"));
    const cluster = fixedCluster({
        name: "c",
        components: {
            kubeApiserver: {
                "audit-webhook-config-file": "/etc/kubernetes/files/audit-webhook.yaml",
                "disable-admission-plugins": "DefaultStorageClass",
                "enable-admission-plugins": "AlwaysPullImages,ValidatingAdmissionWebhook",
                "etcd-servers-overrides": "/events#https://10.0.0.9:2379",
                "max-requests-inflight": "300",
                "tracing-config-file": "/etc/kubernetes/files/tracing.yaml",
            },
        },
    });
    const rehearsed = { cluster, credentials: fakeCredentials(cluster), folder, program: () => "" };
    const flags = apiserverFlags(rehearsed, join(folder, "own"), { port: 1, etcdPort: 2 });
    const values = (name: string) =>
        flags.filter((flag) => flag.startsWith(`--${name}=`)).map((flag) => flag.slice(name.length + 3));
    after(() => rmSync(folder, { recursive: true }));

    it("has the cluster's flags, with its files in a private folder", () => {
        assert.deepEqual(values("max-requests-inflight"), ["300"]);
        assert.deepEqual(values("service-cluster-ip-range"), ["10.3.0.0/16"]);
        assert.ok(!flags.some((flag) => flag.includes("/etc/")), flags.join("\n"));
        for (const flag of flags.filter((each) => each.includes(`${folder}/own/credentials/`))) {
            assert.equal(statSync(flag.slice(flag.indexOf("=") + 1)).mode & 0o077, 0, flag);
        }
    });

    it("reaches only its own etcd", () => {
        assert.deepEqual(values("etcd-servers"), ["https://127.0.0.1:2"]);
        assert.deepEqual(values("bind-address"), ["127.0.0.1"]);
        assert.deepEqual(values("endpoint-reconciler-type"), ["none"]);
        for (const name of ["etcd-servers-overrides", "audit-webhook-config-file", "tracing-config-file"]) {
            assert.deepEqual(values(name), [], name);
        }
        const egress = JSON.parse(readFileSync(values("egress-selector-config-file")[0]!, "utf8"));
        const named = egress.egressSelections.map(({ name }: { name: string }) => name);
        assert.deepEqual(named, ["cluster", "controlplane"]);
        for (const { connection } of egress.egressSelections) {
            assert.ok(!existsSync(connection.transport.uds.udsName));
        }
    });

    it("calls no admission webhook, and has the cluster's other admission plugins", () => {
        assert.deepEqual(values("disable-admission-plugins"), [
            "DefaultStorageClass,MutatingAdmissionWebhook,ValidatingAdmissionWebhook",
        ]);
        const [enabled = ""] = values("enable-admission-plugins");
        assert.ok(enabled.split(",").includes("AlwaysPullImages"), enabled);
        assert.doesNotMatch(enabled, /Webhook/);
    });
});
