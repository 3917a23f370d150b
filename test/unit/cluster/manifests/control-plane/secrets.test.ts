import assert from "node:assert/strict";
import { controlPlane, selfHostedPod } from "../../../../../cluster/manifests/control-plane";
import {
    credentialDigest,
    credentialFiles,
    credentialHolders,
    credentialSecret,
} from "../../../../../cluster/manifests/control-plane/secrets";
import { type Container, credentialsPath } from "../../../../../cluster/manifests/pod";
import { decoded, fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster();
const secrets = fakeCredentials(cluster);

for (const holder of credentialHolders) {
    describe(`the credentials of ${holder}`, () => {
        const files = credentialFiles(cluster, holder, secrets);

        it("are as reviewed", () => golden(__dirname, `secret-${holder}`, files));

        it("are in its Secret as they are in its files", () => {
            const secret = credentialSecret(cluster, holder, secrets);
            assert.equal(secret.metadata.name, holder);
            assert.deepEqual(decoded(secret), files);
        });

        it("are every file that its flags name, and no other", () => {
            const text = JSON.stringify(selfHostedPod(cluster, holder, secrets).spec.containers);
            const named = [...text.matchAll(new RegExp(`=${credentialsPath}/([^"]+)"`, "g"))].map(([, name]) => name);
            assert.deepEqual([...new Set(named)].sort(), Object.keys(files).sort());
        });

        it("have a digest that changes with them and does not hold them", () => {
            const before = credentialDigest(cluster, holder, secrets);
            const renewed = { ...secrets, kubernetesCa: { cert: "another", key: "another" } };
            assert.match(before, /^[0-9a-f]{16}$/);
            assert.equal(credentialDigest(cluster, holder, secrets), before);
            assert.notEqual(credentialDigest(cluster, holder, renewed), before);
        });
    });
}

describe("the control plane's credentials", () => {
    const holders = (text: string) =>
        credentialHolders.filter((holder) => JSON.stringify(credentialFiles(cluster, holder, secrets)).includes(text));
    const inJson = (pem: string) => JSON.stringify(pem).slice(1, -1);

    it("give the CA's key to none but the one that signs", () => {
        assert.deepEqual(holders(inJson(secrets.kubernetesCa.key)), ["kube-controller-manager"]);
    });

    it("give away no key of the etcd and front proxy CAs, and no administrator's", () => {
        for (const { key } of [secrets.etcdCa, secrets.frontProxyCa, secrets.admin]) {
            assert.deepEqual(holders(inJson(key)), []);
        }
    });

    it("let components use the apiserver of their own node, without a load balancer or DNS", () => {
        for (const holder of ["kube-controller-manager", "kube-scheduler"] as const) {
            const { kubeconfig } = credentialFiles(cluster, holder, secrets);
            assert.equal(JSON.parse(kubeconfig!).clusters[0].cluster.server, "https://127.0.0.1:6443");
        }
    });
});

describe("the keys of kube-apiserver", () => {
    const rotating = fixedCluster({ keys: { serviceAccount: [2, 1], encryption: [1, "plain"] } });
    const keys = { ...secrets, encryptionKeys: { 1: "a key in base64" } };

    it("are annotated on its Secret and its pods, and on no others", () => {
        for (const holder of credentialHolders) {
            const { annotations } = credentialSecret(rotating, holder, keys).metadata;
            const told = { "tradewind.dev/keys": '{"serviceAccount":[2,1],"encryption":[1,"plain"]}' };
            assert.deepEqual(annotations, holder === "kube-apiserver" ? told : undefined);
            const daemonSet = controlPlane(rotating, keys).find(
                ({ kind, metadata }) => kind === "DaemonSet" && metadata.name === holder,
            )!;
            const { template } = daemonSet.spec as { template: { metadata: { annotations: Record<string, string> } } };
            assert.equal(
                template.metadata.annotations["tradewind.dev/keys"],
                holder === "kube-apiserver" ? told["tradewind.dev/keys"] : undefined,
            );
        }
    });

    it("of the Kubernetes CA are annotated on all components, because each has a certificate from it", () => {
        const other = fixedCluster({ keys: { serviceAccount: [1, 2], encryption: ["plain"], kubernetesCa: [2, 1] } });
        const told = credentialHolders.map(
            (holder) => credentialSecret(other, holder, secrets).metadata.annotations?.["tradewind.dev/keys"],
        );
        const rest = '{"kubernetesCa":[2,1]}';
        assert.deepEqual(told, ['{"serviceAccount":[1,2],"kubernetesCa":[2,1]}', rest, rest]);
    });

    it("have one CA sign if several are trusted", () => {
        const other = fixedCluster({ keys: { kubernetesCa: [2, 1] } });
        const both = { ...secrets, kubernetesIssuer: "the second" };
        const files = credentialFiles(other, "kube-controller-manager", both);
        assert.deepEqual([files["issuing-ca.crt"], files["ca.crt"]], ["the second", secrets.kubernetesCa.cert]);
        const { command } = (selfHostedPod(other, "kube-controller-manager", both).spec.containers as Container[])[0]!;
        for (const flag of ["cluster-signing-cert-file=issuing-ca.crt", "root-ca-file=ca.crt"]) {
            assert.ok((command as string[]).includes(`--${flag.replace("=", `=${credentialsPath}/`)}`), flag);
        }
    });

    it("of Secrets are a file that a flag names, where there are any", () => {
        const files = credentialFiles(rotating, "kube-apiserver", keys);
        assert.match(files["encryption.json"]!, /"secret": "a key in base64"/);
        const { command } = (selfHostedPod(rotating, "kube-apiserver", keys).spec.containers as Container[])[0]!;
        assert.ok((command as string[]).includes(`--encryption-provider-config=${credentialsPath}/encryption.json`));
    });
});
