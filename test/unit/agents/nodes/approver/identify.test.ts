import assert from "node:assert/strict";
import { identify, isByToken } from "../../../../../agents/nodes/approver/identify";
import { type Asked, asked, domain, instance, nodeGroup, plan, poolGroup, pools } from "./asked";
import { csr } from "./csr";

const who = (request: Asked) => identify(asked(request), plan, pools);
const whyNot = (request: Asked) => {
    const applicant = who(request);
    assert.ok("why" in applicant, JSON.stringify(applicant));
    return applicant.why;
};

describe("a machine that joins by a token of an administrator", () => {
    const entry = { addresses: ["10.0.0.9"], token: "abcdef", expires: "2030-01-01T00:00:00Z" };
    const joined = {
        "rack-1": { ...entry, pool: "a" },
        "rack-2": { ...entry, pool: "g" },
        "rack-3": { ...entry, pool: "controller" },
        "c-a-0": { ...entry, pool: "a" },
        [instance(1)]: { ...entry, pool: "g" },
    };
    const by = (pool: string, node: string, more: Partial<Asked> = {}) => {
        const groups = [poolGroup(pool), nodeGroup(node)];
        const request = asked({ pool, node, groups, username: "system:bootstrap:abcdef", ...more });
        const applicant = identify(request, plan, pools, joined);
        return "why" in applicant ? applicant.why : applicant.isJoining === true;
    };

    it("may have the name and the pool of its entry, also if a cloud names the pool's machines", () => {
        assert.deepEqual([by("a", "rack-1"), by("g", "rack-2")], [true, true]);
    });

    it("may have nothing else", () => {
        const refused = /is not a valid node name in pool/;
        assert.match(String(by("g", "rack-1")), refused);
        assert.match(String(by("controller", "rack-3")), refused);
        assert.match(String(by("a", "rack-1", { username: "system:bootstrap:another" })), refused);
        assert.match(String(by("a", "rack-1", { groups: [poolGroup("a")] })), refused, "a token of the whole pool");
        assert.equal(
            by("a", "rack-1", { groups: [poolGroup("a"), nodeGroup("rack-2")] }),
            "its token is for rack-2, not for rack-1",
        );
    });

    it("does not take names of the stack or its cloud, whatever the entries say", () => {
        assert.equal(by("a", "c-a-0"), false);
        assert.equal(by("g", instance(1)), false);
    });
});

describe("the machine that requests a kubelet certificate", () => {
    it("belongs to its token's pool, under a name that the stack knows", () => {
        for (const [pool, node] of [
            ["a", "c-a-1"],
            ["controller", "c-controller-1"],
        ]) {
            const applicant = who({ pool, node, groups: [poolGroup(pool!), nodeGroup(node!)] });
            assert.deepEqual({ ...applicant, key: "" }, { pool, node, key: "", aliases: [node] });
        }
    });

    it("is an instance of its token's group, under an instance name of the region", () => {
        const of = { id: instance(1), group: "c-g" };
        for (const node of [instance(1), `${instance(1)}${domain}`]) {
            const applicant = who({ pool: "g", node });
            const aliases = [instance(1), `${instance(1)}${domain}`];
            assert.deepEqual({ ...applicant, key: "" }, { pool: "g", node, key: "", aliases, instance: of });
        }
    });

    it("is identified by its key", () => {
        const { key, ...others } = who({}) as { key: string };
        assert.match(key, /^[0-9a-f]{32}$/);
        assert.deepEqual(who({}), { key, ...others });
    });

    const refused: Record<string, readonly [Asked, RegExp]> = {
        "a worker's token and a controller's name": [
            { node: "c-controller-0" },
            /^c-controller-0 is not a valid node name .* pool a$/,
        ],
        "a worker's token and a controller's name that is not used": [
            { node: "c-controller-7" },
            /is not a valid node name/,
        ],
        "a group's token and a controller's name": [{ pool: "g", node: "c-controller-0" }, /is not a valid node name/],
        "a group's token and a name of another pool": [{ pool: "g", node: "c-a-0" }, /is not a valid node name/],
        "a controller's token and a worker's name": [{ pool: "controller", node: "c-a-0" }, /is not a valid node name/],
        "a name that the pool never had": [{ node: "c-a-2" }, /^c-a-2 is not a valid node name in pool a$/],
        "a machine's token and another one's name": [
            { node: "c-a-1", groups: [poolGroup("a"), nodeGroup("c-a-0")] },
            /^its token is for c-a-0, not for c-a-1$/,
        ],
        "a token of two pools": [{ groups: [poolGroup("a"), poolGroup("controller")] }, /^its token is for 2 pools$/],
        "a token of a removed pool": [{ pool: "b", node: "c-b-0" }, /^there is no pool b$/],
        "a pool name that JavaScript objects have": [{ pool: "constructor" }, /^there is no pool constructor$/],
        "an instance of another region": [
            { pool: "g", node: `${instance(1)}.us-west-2.compute.internal` },
            /is not a valid node name/,
        ],
        "a line break in the name": [{ text: csr("system:node:c-a-0\n") }, /^it is for system:node:/],
        "an upper case letter in the name": [{ text: csr("system:node:C-a-0") }, /^it is for system:node:C-a-0/],
        "no name": [{ text: csr("system:node:") }, /^it is for system:node: of system:nodes$/],
        "an administrator": [
            { text: csr("kubernetes-admin", { organization: "system:masters" }) },
            /^it is for kubernetes-admin of system:masters$/,
        ],
        "another organization": [
            { text: csr("system:node:c-a-0", { organization: "system:masters" }) },
            /system:masters$/,
        ],
        "a server's name": [{ text: csr("system:node:c-a-0", { dnsNames: ["api.example.com"] }) }, /, and more$/],
        "a server's address": [{ text: csr("system:node:c-a-0", { ipAddresses: ["10.0.0.1"] }) }, /, and more$/],
        "a server's usage": [{ usages: ["client auth", "server auth"] }, /usages are client auth, server auth$/],
        "no usage": [{ usages: [] }, /usages are $/],
        "no request": [{ text: "x" }, /not one certificate request/],
    };
    for (const [what, [request, why]] of Object.entries(refused)) {
        it(`is rejected with ${what}`, () => assert.match(whyNot(request), why));
    }

    it("is checked only for pool tokens and kubelet client certificates", () => {
        assert.equal(isByToken(asked(), plan), true);
        for (const each of [
            asked({ groups: [] }),
            asked({ groups: ["system:bootstrappers:kubeadm:default-node-token"] }),
            asked({ signer: "kubernetes.io/kubelet-serving" }),
        ]) {
            assert.equal(isByToken(each, plan), false);
        }
    });
});
