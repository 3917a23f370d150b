import assert from "node:assert/strict";
import { metricsServerName } from "../../../../cluster/keys/certificates";
import { LocalCluster } from "../../../../components/local/cluster";
import { type Deployed, deploy } from "../../deploy";
import { downloads } from "./fixture";
import { providerOutputs } from "./provider-outputs";

const createCluster = (metricsServer?: boolean) =>
    deploy(() => new LocalCluster("c", { machineCidr: "192.0.2.0/24", downloads, metricsServer }), {
        outputs: providerOutputs,
    });

describe("a cluster's metrics-server", function () {
    this.timeout(60_000);
    let resources: Deployed[];
    const named = (name: string, type: string) =>
        resources.find((resource) => resource.name === name && resource.type.endsWith(`:${type}`))!;

    before(async () => {
        ({ resources } = await createCluster(true));
    });

    it("exists only on request", async () => {
        const { resources: others } = await createCluster();
        assert.deepEqual(
            others.map(({ name }) => name).filter((name) => name.includes("metrics-server")),
            [],
        );
    });

    it("gets a certificate of the cluster's CA for its Service, as a secret", () => {
        const { inputs } = named("c-metrics-server", "CertRequest");
        assert.deepEqual(inputs.dnsNames, [metricsServerName]);
        const { inputs: signed } = named("c-metrics-server", "LocallySignedCert");
        assert.equal(signed.caCertPem, "c-kubernetes-ca cert");
        const secret = named("c/secret/kube-system/metrics-server", "Secret");
        assert.deepEqual(secret.secretInputs, ["data"]);
        const text = Buffer.from(secret.inputs.data["tls.crt"], "base64").toString();
        assert.equal(text, "c-metrics-server cert");
    });

    it("is trusted by kube-apiserver for the CA, which a preview shows", () => {
        const { inputs, secretInputs } = named("c/apiservice/v1beta1.metrics.k8s.io", "APIService");
        assert.equal(Buffer.from(inputs.spec.caBundle, "base64").toString(), "c-kubernetes-ca cert");
        assert.deepEqual(secretInputs, []);
    });

    it("runs before its API is registered, and until it is removed", () => {
        const deployment = "c/deployment/kube-system/metrics-server";
        const service = "c/service/kube-system/metrics-server";
        const api = named("c/apiservice/v1beta1.metrics.k8s.io", "APIService");
        assert.deepEqual([...api.dependsOn].sort(), [deployment, service]);
        const needed = named(deployment, "Deployment").dependsOn;
        for (const kind of ["secret", "serviceaccount"]) {
            assert.ok(needed.includes(`c/${kind}/kube-system/metrics-server`), kind);
        }
        assert.ok(!needed.includes(service), "Pulumi waits until the Service has pods");
    });
});
