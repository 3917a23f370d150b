import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import {
    bootstrapTokenSecret,
    bootstrapTokenType,
    expirationCommand,
    lastingToken,
    machineToken,
    placeholderToken,
    tokenHolders,
    tokenKey,
} from "../../../../../cluster/manifests/nodes/bootstrap-tokens";
import { decoded, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const token = "abcdef.0123456789abcdef";

describe("a bootstrap token", () => {
    const form = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

    it("has the form that Kubernetes requires, and is the same for the same key", () => {
        assert.match(lastingToken("key"), form);
        assert.equal(lastingToken("key"), lastingToken("key"));
        assert.notEqual(lastingToken("key"), lastingToken("other key"));
        assert.match(placeholderToken, form);
    });

    it("is, of a machine, another one for another machine and for each time", () => {
        const of = (key = "key", node = "c-a-0", end = "2030-01-02T00:00:00.000Z") => machineToken(key, node, end);
        assert.equal(of(), of());
        const all = [of(), of("other"), of("key", "c-a-1"), of("key", "c-a-0", "2030-01-03T00:00:00.000Z")];
        for (const each of all) assert.match(each, form);
        assert.equal(new Set(all.flatMap((each) => each.split("."))).size, 8);
    });

    it("has letters and digits as likely as any others", () => {
        const many = (token: (index: number) => string) => Array.from({ length: 2000 }, (_, index) => token(index));
        const ofMachines = many((index) => machineToken("key", `n-${index}`, "t"));
        const ofPools = many((index) => lastingToken(`key ${index}`));
        for (const texts of [ofMachines, ofPools]) {
            for (const position of [0, 5, 7, 22]) {
                const counts = new Map<string, number>();
                for (const text of texts) counts.set(text[position]!, (counts.get(text[position]!) ?? 0) + 1);
                assert.equal(counts.size, 36);
                for (const [letter, count] of counts)
                    assert.ok(count > 20 && count < 110, `${position} ${letter} ${count}`);
            }
        }
    });

    it("is known by its machine's name, or by its pool's where those have none", () => {
        const cluster = fixedCluster({ workerPools: [{ name: "a" }, { name: "c-controller-0" }] });
        const keys = ["c-controller-0", "c-a-0", "a/*", "c-controller-0/*", "controller", "gone"];
        const holders = tokenHolders(cluster, Object.fromEntries(keys.map((key) => [key, token])));
        assert.deepEqual(holders.map(tokenKey), keys.slice(0, 4));
        assert.deepEqual(
            holders.map(({ pool }) => pool),
            ["controller", "a", "a", "c-controller-0"],
        );
    });

    it("gives groups of a form that Kubernetes takes: its pool's, and its machine's", () => {
        const groupsOf = (node?: string) =>
            decoded(bootstrapTokenSecret({ pool: "big-one", node }, token))["auth-extra-groups"]!.split(",");
        for (const group of groupsOf("c-big-one-0")) {
            assert.match(group, /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/);
        }
        assert.deepEqual([groupsOf().length, groupsOf("c-big-one-0").length], [1, 2]);
    });

    it("is valid by a Secret as reviewed", () => {
        const secret = bootstrapTokenSecret({ pool: "worker", node: "c-worker-0" }, token, {
            expiration: "2030-01-02T00:00:00Z",
        });
        assert.equal(secret.type, bootstrapTokenType);
        golden(__dirname, "bootstrap-token", { metadata: secret.metadata, data: decoded(secret) });
    });

    it("has no end in a manifest: a manifest does not change with the clock", () => {
        assert.equal("expiration" in decoded(bootstrapTokenSecret({ pool: "worker" }, token)), false);
    });

    it("ends a day after it became valid, in the form that Kubernetes reads", () => {
        const text = execSync(expirationCommand, { encoding: "utf8" }).trim();
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
        const hours = (Date.parse(text) - Date.now()) / 3_600_000;
        assert.ok(hours > 23.9 && hours <= 24, text);
    });
});
