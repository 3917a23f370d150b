import assert from "node:assert/strict";
import { LocalCluster } from "../../../../components/local/cluster";
import { deploy } from "../../deploy";
import { downloads } from "./fixture";
import { providerOutputs } from "./provider-outputs";

const logs = { protocol: "otlp", url: "https://loki.example/otlp" };
const createCluster = (args: object) =>
    deploy(() => new LocalCluster("c", { machineCidr: "192.0.2.0/24", downloads, ...args }), {
        outputs: providerOutputs,
    });

describe("a cluster's log collector", function () {
    this.timeout(60_000);

    it("exists only on request", async () => {
        const { resources } = await createCluster({});
        assert.deepEqual(
            resources.map(({ name }) => name).filter((name) => name.includes("log-collector")),
            [],
        );
    });

    it("has its headers in a secret, before it runs", async () => {
        const { resources } = await createCluster({ logs, logHeaders: { "X-Scope-OrgID": "hidden" } });
        const named = (name: string) => resources.find((resource) => resource.name === name)!;
        const secret = named("c/secret/kube-system/log-collector");
        assert.deepEqual(secret.secretInputs, ["data"]);
        assert.match(Buffer.from(secret.inputs.data["config.json"], "base64").toString(), /"X-Scope-OrgID": "hidden"/);
        const daemonSet = named("c/daemonset/kube-system/log-collector");
        assert.ok(daemonSet.dependsOn.includes("c/secret/kube-system/log-collector"));
        assert.deepEqual(daemonSet.secretInputs, []);
        assert.ok(!JSON.stringify(daemonSet.inputs).includes("hidden"));
    });

    it("is refused with headers that would be sent without TLS", async () => {
        const plain = { ...logs, url: "http://loki.example/otlp" };
        await assert.rejects(
            createCluster({ logs: plain, logHeaders: { A: "hidden" } }),
            /logHeaders conflicts with a URL without TLS/,
        );
    });
});
