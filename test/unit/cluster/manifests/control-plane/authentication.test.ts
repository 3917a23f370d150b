import assert from "node:assert/strict";
import type { JwtOptions } from "../../../../../cluster/authentication/options";
import {
    controlPlane,
    controlPlaneBase,
    selfHostedPod,
    temporaryPod,
} from "../../../../../cluster/manifests/control-plane";
import {
    authenticationConfig,
    authenticationConfigMap,
} from "../../../../../cluster/manifests/control-plane/authentication";
import type { ComponentPod } from "../../../../../cluster/manifests/control-plane/component-pod";
import type { Container, Volume } from "../../../../../cluster/manifests/pod";
import { decoded, fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

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
        golden(__dirname, "authentication-config-jwt", authenticationConfig(cluster.jwt));
    });

    it("do not repeat a rule that users have set themselves", () => {
        const { jwt } = authenticationConfig(cluster.jwt) as { jwt: JwtOptions[] };
        assert.deepEqual(authenticationConfig(jwt), authenticationConfig(cluster.jwt));
    });

    it("are in a ConfigMap, so that a preview shows them, and not among the credentials", () => {
        const [configMap, ...others] = authenticationConfigMap(cluster);
        assert.deepEqual(others, []);
        assert.ok(controlPlaneBase(cluster, "").some(({ metadata }) => metadata.name === configMap!.metadata.name));
        const secret = controlPlane(cluster, fakeCredentials(cluster)).find(({ kind }) => kind === "Secret")!;
        assert.deepEqual(JSON.parse(decoded(secret)["authentication.json"]!), authenticationConfig());
    });

    it("are mounted in the pod's own generation, which another configuration replaces under another address", () => {
        const [one, other] = [selfHosted(), selfHosted(clusterOf("b"))];
        const [configMap] = authenticationConfigMap(cluster);
        const { name } = configMap!.metadata;
        assert.equal(flagOf(one), `/etc/kubernetes/${name}/authentication.json`);
        const [{ volumeMounts }] = one.spec.containers as [Container];
        const mount = (volumeMounts as { mountPath: string; name: string }[]).find(({ mountPath }) =>
            mountPath.endsWith(name),
        )!;
        const volume = (one.spec.volumes as Volume[]).find((each) => each.name === mount.name)!;
        assert.deepEqual(volume.configMap, { name });
        assert.notEqual(one.address, other.address);
    });

    it("are unknown to the temporary one, whose files are on the machine", () => {
        const none = fixedCluster();
        assert.deepEqual(temporaryPod(cluster, "kube-apiserver"), temporaryPod(none, "kube-apiserver"));
        assert.deepEqual(authenticationConfigMap(none), []);
        assert.equal(flagOf(selfHosted(none)), flagOf(temporaryPod(none, "kube-apiserver")));
    });
});
