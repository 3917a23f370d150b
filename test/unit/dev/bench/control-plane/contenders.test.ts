import assert from "node:assert/strict";
import { controllerConfig } from "../../../../../cluster/machines/controller";
import { resolveCluster } from "../../../../../cluster/resolve";
import { explainStages } from "../../../../../dev/bench/control-plane/contenders";
import { kubeadmConfig } from "../../../../../dev/bench/control-plane/kubeadm-config";
import { diffable, validate } from "../../../../../ignition";
import { versions } from "../../../../../versions";

const cluster = resolveCluster({ name: "c" });
const machine = { name: "c-kubeadm-0", address: "10.0.0.11" };
const download = (name: string) => ({ urls: [`http://mirror/${name}`], sha256: "0".repeat(64) });
const downloads = { kubelet: download("kubelet"), cniPlugins: download("cni"), registryMirror: "http://mirror:5000" };

describe("kubeadm's machine", () => {
    const config = kubeadmConfig(cluster, { machine, downloads, kubeadm: download("kubeadm") });
    const peer = diffable(config);

    it("is valid Ignition", () => assert.deepEqual(validate(config), []));

    it("has our system, containerd and mirror", () => {
        const mine = diffable(controllerConfig(cluster, { machine, downloads, ca: "", bootstrapToken: "" }));
        const shared = Object.keys(mine).filter((path) =>
            /containerd|sysctl|cni|node-routes|kubelet-wrapper/.test(path),
        );
        assert.ok(shared.length >= 8, `few shared paths: ${shared}`);
        for (const path of shared) {
            assert.equal(peer[path], mine[path], path);
        }
    });

    it("initializes the same version, address and networks", () => {
        const text = Object.values(peer).find((contents) => contents.includes("InitConfiguration"))!;
        assert.ok(text.includes(`"kubernetesVersion":"v${versions.kubernetes}"`));
        assert.match(text, /"advertiseAddress":"10\.0\.0\.11"/);
        assert.match(text, /"podSubnet":"10\.2\.0\.0\/16","serviceSubnet":"10\.3\.0\.0\/16"/);
        assert.doesNotMatch(text, /bootstrapTokens/);
    });

    it("joins another one with the token of the first", () => {
        const options = { machine, downloads, kubeadm: download("kubeadm"), token: "bench0.0123456789abcdef" };
        const [first, second] = [{}, { joins: "10.0.0.11" }].map((more) =>
            Object.values(diffable(kubeadmConfig(cluster, { ...options, ...more }))).join("\n"),
        ) as [string, string];
        assert.match(first, /"bootstrapTokens":\[\{"token":"bench0\.0123456789abcdef"\}\]/);
        assert.match(first, /^kubeadm init --config=/m);
        assert.match(second, /"apiServerEndpoint":"10\.0\.0\.11:6443","token":"bench0\.0123456789abcdef"/);
        assert.match(second, /^kubeadm join --config=/m);
    });
});

describe("the explanation of our bootstrap", () => {
    it("contains the end of each step since the start of the machine, and its duration", () => {
        const stages = [
            { time: "2026-01-01T00:00:02.0Z", step: "wait-for-api", event: "start" },
            { time: "2026-01-01T00:00:09.5Z", step: "wait-for-api", event: "done", seconds: 7.5 },
        ];
        const lines = explainStages(stages.map((stage) => JSON.stringify(stage)).join("\n"), Date.UTC(2026, 0, 1));
        assert.deepEqual(lines, ["    9.5 s  wait-for-api (7.5 s)"]);
    });
});
