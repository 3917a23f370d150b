import assert from "node:assert/strict";
import { ownMember } from "../../../../../agents/etcd/pod/await-turn";

const flags = [
    "--advertise-client-urls=https://10.0.0.11:2379",
    "--listen-metrics-urls=http://127.0.0.1:2381",
    "--name=c-controller-0",
];
const standing = ["/bin/sh", "-c", "script", "etcd-standby", "node,etcd", ...flags];

describe("the member that an API-managed pod runs", () => {
    it("is the machine's own, with its flags and its health URL", () => {
        assert.deepEqual(ownMember(standing, "node,etcd"), {
            name: "c-controller-0",
            flags,
            clientUrl: "https://10.0.0.11:2379",
            healthUrl: "http://127.0.0.1:2381",
        });
    });

    const refused: [string, readonly string[] | undefined, string][] = [
        ["none on a machine without one", undefined, "the machine has no member"],
        [
            "none that does not support the lock",
            ["etcd", ...flags],
            "the machine's member does not give way to API-managed pods",
        ],
        [
            "none of another version, which may be on trial",
            standing.with(4, "node,newer"),
            "the machine's member has images node,newer, this pod has node,etcd",
        ],
    ];
    for (const [what, command, why] of refused) {
        it(`is ${what}`, () => assert.equal(ownMember(command, "node,etcd"), why));
    }
});
