import assert from "node:assert/strict";
import { poolGroup, rbacManifests } from "../../../../cluster/manifests/rbac";
import { fixedCluster } from "../../components/in-cluster/fixture";
import { golden } from "../../golden";

describe("the permissions of nodes and joining machines", () => {
    const manifests = rbacManifests(fixedCluster({ workerPools: [{ name: "a" }] }));
    const named = (name: string) => manifests.find(({ metadata }) => metadata.name === name)!;
    const subjects = (name: string) => (named(name).subjects as { name: string }[]).map((subject) => subject.name);

    it("are as reviewed", () => golden(__dirname, "rbac", manifests));

    it("allow a token to request a node certificate, and with an option any node to renew its own", () => {
        assert.deepEqual(subjects("tradewind:node-bootstrapper"), [poolGroup("controller"), poolGroup("a")]);
        assert.doesNotMatch(JSON.stringify(manifests), /nodeclient/);
        const renewal = rbacManifests(fixedCluster({ certificates: { kubeletRenewal: "any" } })).find(
            ({ metadata }) => metadata.name === "tradewind:approve-node-client-renewal",
        )!;
        assert.deepEqual(renewal.subjects, [
            { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" },
        ]);
        assert.match(JSON.stringify(renewal.roleRef), /:selfnodeclient"/);
    });

    it("make only the group of the administrator's current certificate an administrator", () => {
        const { metadata, subjects: group } = named("tradewind:administrators");
        const others = manifests.filter((manifest) => manifest.metadata.name !== metadata.name);
        assert.deepEqual(group, [
            { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "tradewind:administrators" },
        ]);
        assert.doesNotMatch(JSON.stringify(others), /masters|cluster-admin/);
    });

    it("have no such group if the administrator is a member of system:masters", () => {
        const certificates = { administratorGroup: "system:masters", kubeletRenewal: "any" };
        assert.doesNotMatch(JSON.stringify(rbacManifests(fixedCluster({ certificates }))), /masters|cluster-admin/);
    });

    it("allow anonymous clients nothing", () => {
        const open = manifests.filter(({ subjects }) => JSON.stringify(subjects ?? "").includes("anonymous"));
        assert.deepEqual(open, []);
        assert.deepEqual(
            manifests.flatMap(({ rules }) => rules ?? []),
            [],
        );
    });
});
