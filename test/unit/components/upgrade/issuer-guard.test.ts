import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { changedIssuers } from "../../../../components/upgrade/issuer-guard";
import { changedNetwork } from "../../../../components/upgrade/network-guard";

const own = "https://kubernetes.default.svc.cluster.local";
const [one, other] = ["https://one.example", "https://other.example"];
const running = (...issuers: string[]) => [
    "kube-apiserver",
    ...issuers.map((each) => `--service-account-issuer=${each}`),
];

describe("a change of the issuers of tokens", () => {
    for (const [has, desired] of [
        [[own], [own]],
        [[own], [own, one]],
        [
            [own, one],
            [one, own],
        ],
        [
            [one, own],
            [own, one],
        ],
        [[own, one], [own]],
        [[], [one, own]],
        // Another one is accepted once no tokens are of the first.
        [
            [own, one],
            [own, other],
        ],
    ] as const) {
        it(`is made from ${has.join() || "nothing"} to ${desired.join()}`, () => {
            assert.equal(changedIssuers(running(...has), desired), undefined);
        });
    }

    it("is refused before every apiserver accepts the new one", () => {
        assert.match(
            changedIssuers(running(own), [one, own])!,
            /^serviceAccountRoles must have issuing: false before tokens are of https:\/\/one\.example: /,
        );
    });

    it("is refused while pods have tokens of the one before", () => {
        assert.match(
            changedIssuers(running(one, own), [own])!,
            /^serviceAccountRoles must have issuing: false for an hour before https:\/\/one\.example is removed: /,
        );
        assert.match(changedIssuers(running(one, own), [other, own])!, /before tokens are of https:\/\/other/);
    });

    it("does not hide that the cluster's domain is another one", () => {
        const { network } = resolveCluster({ name: "c", network: { clusterDomain: "other.local" } });
        const command = [...running(one, own), "--service-cluster-ip-range=10.3.0.0/16"];
        assert.match(changedNetwork(command, network)!, /clusterDomain cannot be changed after creation/);
    });
});
