import assert from "node:assert/strict";
import type { JwtOptions } from "../../../../../cluster/authentication/options";
import { controlPlane, controlPlaneBase, selfHostedPod } from "../../../../../cluster/manifests/control-plane";
import { authenticationConfig } from "../../../../../cluster/manifests/control-plane/authentication";
import type { ComponentPod } from "../../../../../cluster/manifests/control-plane/component-pod";
import { plainFiles } from "../../../../../cluster/manifests/control-plane/files";
import type { Container } from "../../../../../cluster/manifests/pod";
import { decoded, fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { goldenChange } from "../../../golden";

const jwtOf = (audience: string): JwtOptions => ({
    issuer: { url: "https://issuer.example", audiences: [audience] },
    claimMappings: { username: { claim: "sub", prefix: "" }, groups: { claim: "groups", prefix: "" } },
    userValidationRules: [{ expression: "user.username != 'root'" }],
});
const clusterOf = (audience: string) => fixedCluster({ authentication: { jwt: [jwtOf(audience)] } });
const cluster = clusterOf("a");
const selfHosted = (of = cluster) => selfHostedPod(of, "kube-apiserver", fakeCredentials(of));
const flagOf = ({ spec }: ComponentPod) => {
    const [{ command }] = spec.containers as [Container];
    return (command as string[]).find((flag) => flag.startsWith("--authentication-config="))!.split("=")[1];
};

describe("issuers of ID tokens", () => {
    it("are in kube-apiserver's configuration, next to anonymous access by path, and may not name the cluster's own", () => {
        goldenChange(__dirname, "authentication-config-jwt", authenticationConfig(), authenticationConfig(cluster.jwt));
    });

    it("do not repeat a rule that users have set themselves", () => {
        const { jwt } = authenticationConfig(cluster.jwt) as { jwt: JwtOptions[] };
        assert.deepEqual(authenticationConfig(jwt), authenticationConfig(cluster.jwt));
    });

    it("are in a ConfigMap, so that a preview shows them, and not among the credentials", () => {
        const objects = controlPlaneBase(cluster, "");
        const { data } = objects.find(({ metadata }) => metadata.name === "kube-apiserver-files")!;
        const text = (data as Record<string, string>)["tradewind-authentication.json"]!;
        assert.deepEqual(JSON.parse(text), authenticationConfig(cluster.jwt));
        const secret = controlPlane(cluster, fakeCredentials(cluster)).find(({ kind }) => kind === "Secret")!;
        assert.deepEqual(JSON.parse(decoded(secret)["authentication.json"]!), authenticationConfig());
    });

    it("replace kube-apiserver's pods, under another address", () => {
        const [one, other] = [selfHosted(), selfHosted(clusterOf("b"))];
        assert.equal(flagOf(one), "/etc/kubernetes/files/tradewind-authentication.json");
        assert.notEqual(one.address, other.address);
    });

    it("change nothing where there are none", () => {
        const none = fixedCluster();
        assert.equal(flagOf(selfHosted(none)), "/etc/kubernetes/secrets/authentication.json");
        assert.ok(!("tradewind-authentication.json" in plainFiles(none, "kube-apiserver")));
    });
});
