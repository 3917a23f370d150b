import assert from "node:assert/strict";
import { metricsServerName } from "../../../../../cluster/keys/certificates";
import { metricsServer } from "../../../../../cluster/manifests/addons/metrics-server";
import type { ClusterOptions } from "../../../../../cluster/options";
import { resolveCluster } from "../../../../../cluster/resolve";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const issued = { kubernetesCa: { cert: "CA" }, metricsServer: { cert: "certificate", key: "key" } };
const manifests = (options: Partial<ClusterOptions> = {}, credentials = issued) =>
    metricsServer(fixedCluster(options), credentials);
const ofKind = (kind: string, all = manifests()) => all.find((manifest) => manifest.kind === kind)!;
const podTemplate = (ca: string) => {
    const all = manifests({}, { ...issued, kubernetesCa: { cert: ca } });
    return (ofKind("Deployment", all).spec as { template: object }).template;
};

describe("metrics-server", () => {
    it("is as reviewed", () => golden(__dirname, "metrics-server", manifests()));

    it("is off by default", () => {
        assert.equal(resolveCluster({ name: "c" }).metricsServer, false);
        assert.equal(resolveCluster({ name: "c", metricsServer: true }).metricsServer, true);
    });

    it("verifies kubelets if kube-apiserver does", () => {
        const flagsWith = (kubeletServing: string) =>
            podSpecOf(ofKind("Deployment", manifests({ certificates: { kubeletServing } })))!
                .containers as unknown as readonly { readonly command: readonly string[] }[];
        const about = (kubeletServing: string) =>
            flagsWith(kubeletServing)[0]!.command.filter((flag) => /kubelet-(certificate|insecure)/.test(flag));
        assert.deepEqual(about("verified"), ["--kubelet-certificate-authority=/etc/kubernetes/secrets/ca.crt"]);
        for (const other of ["issued", "own"]) assert.deepEqual(about(other), ["--kubelet-insecure-tls"]);
    });

    it("is verified by kube-apiserver, under the name of its Service", () => {
        const { caBundle, service, insecureSkipTLSVerify } = ofKind("APIService").spec as {
            caBundle: string;
            service: { name: string; namespace: string };
            insecureSkipTLSVerify?: boolean;
        };
        assert.equal(Buffer.from(caBundle, "base64").toString(), "CA");
        assert.equal(`${service.name}.${service.namespace}.svc`, metricsServerName);
        assert.equal(insecureSkipTLSVerify, undefined);
    });

    it("is replaced when the CAs change", () => {
        assert.notDeepEqual(podTemplate("CA"), podTemplate("other CA"));
        assert.deepEqual(podTemplate("CA"), podTemplate("CA"));
    });

    it("may run under the Pod Security Standard restricted, outside its node's network", () => {
        const { hostNetwork, securityContext, containers, volumes } = podSpecOf(ofKind("Deployment"))! as {
            hostNetwork?: boolean;
            securityContext: { runAsNonRoot?: boolean; seccompProfile?: object };
            containers: { securityContext: object }[];
            volumes: object[];
        };
        assert.equal(hostNetwork, undefined);
        assert.equal(securityContext.runAsNonRoot, true);
        assert.deepEqual(securityContext.seccompProfile, { type: "RuntimeDefault" });
        assert.deepEqual(
            containers.map((container) => container.securityContext),
            [{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } }],
        );
        assert.deepEqual(
            volumes.map((volume) => Object.keys(volume).filter((key) => key !== "name")),
            [["secret"]],
        );
    });

    it("may read no Secret and change nothing", () => {
        const rules = manifests().filter(({ kind }) => /Role$/.test(kind));
        assert.doesNotMatch(JSON.stringify(rules), /secrets|\*|create|update|patch|delete/);
    });
});
