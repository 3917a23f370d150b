import assert from "node:assert/strict";
import { joinConfig, joinTemplates } from "../../../../cluster/machines/join-template";
import { resetProgram } from "../../../../cluster/machines/reset";
import { workerConfig } from "../../../../cluster/machines/worker";
import { placeholderToken } from "../../../../cluster/manifests/nodes/bootstrap-tokens";
import type { ClusterOptions } from "../../../../cluster/options";
import { compressed, diffable } from "../../../../ignition";
import { downloads, dualStack, fixedCluster } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";

const token = "abcdef.0123456789abcdef";
const ca = "fake CA\n";

function templatesOf(options: Partial<ClusterOptions>, change = (config: ReturnType<typeof workerConfig>) => config) {
    const cluster = fixedCluster(options);
    const templates = joinTemplates(cluster, (pool, machine) =>
        change(workerConfig(cluster, pool, { machine, downloads, ca, bootstrapToken: placeholderToken })),
    );
    return { cluster, templates };
}

describe("the config of a machine that the stack does not create", () => {
    const snippet = JSON.stringify({
        ignition: { version: "3.5.0" },
        storage: { files: [{ path: "/etc/motd", contents: { source: "data:,hello" } }] },
    });
    const { cluster, templates } = templatesOf({ workerPools: [{ name: "a", snippets: [snippet] }, { name: "b" }] });
    const config = joinConfig(templates.a!, { name: "rack-1", token, address: "10.0.0.9" });
    const shown = diffable(config);

    it("is that of the pool's own machines, and how it leaves", () => {
        const machine = { name: "rack-1", address: "10.0.0.9" };
        const own = diffable(
            workerConfig(cluster, cluster.workerPools[0]!, { machine, downloads, ca, bootstrapToken: token }),
        );
        const { "/opt/tradewind/reset.list": list, ...others } = shown;
        const { [resetProgram]: _, "reset-machine.path": _path, "reset-machine.service": _service, ...same } = others;
        assert.deepEqual(same, own);
        assert.ok(list);
    });

    it("has all values also in compressed files", () => {
        const packed = templatesOf({ workerPools: [{ name: "a", snippets: [snippet] }] }, compressed).templates;
        const { "/opt/tradewind/reset.list": _, ...unpacked } = diffable(
            joinConfig(packed.a!, { name: "rack-1", token, address: "10.0.0.9" }),
        );
        for (const [path, text] of Object.entries(unpacked)) assert.equal(text, shown[path], path);
    });

    it("has a second address in a cluster with IPv6", () => {
        const dual = templatesOf({ network: dualStack, workerPools: [{ name: "a" }] }).templates.a!;
        const { "kubelet.service": unit } = diffable(
            joinConfig(dual, { name: "rack-1", token, address: "10.0.0.9", address6: "fd00::9" }),
        );
        assert.match(unit!, /--node-ip=10\.0\.0\.9,fd00::9/);
    });

    it("does not exist for pools whose nodes may become controllers", () => {
        const options = { controllers: { candidates: ["b"] }, workerPools: [{ name: "a" }, { name: "b" }] };
        assert.deepEqual(Object.keys(templatesOf(options).templates), ["a"]);
    });

    it("lists for its reset what it wrote, but not the host's name nor what snippets wrote", () => {
        const lines = shown["/opt/tradewind/reset.list"]!.split("\n");
        for (const line of [
            "unit kubelet.service",
            "unit reset-machine.path",
            "file /etc/kubernetes/bootstrap-kubeconfig",
            "file /etc/systemd/system/kubelet.service",
            "file /etc/systemd/system/containerd.service.d/10-config.conf",
            "file /etc/systemd/logind.conf.d/zz-tradewind.conf",
        ]) {
            assert.ok(lines.includes(line), line);
        }
        assert.ok(!lines.some((line) => /hostname|motd/.test(line)));
    });

    it("has a reset program that a shell accepts", () => {
        assertShell(shown[resetProgram]!.replace(/^mode 0755\n/, ""));
    });
});
