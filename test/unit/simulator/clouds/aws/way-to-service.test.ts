import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Account } from "../../../../../simulator/clouds/aws/account";
import { noWayTo, reached } from "../../../../../simulator/clouds/aws/way-to-service";
import { example } from "./services/example";

const host = "ec2.eu-central-1.amazonaws.com";

describe("the path of an instance to a service of a simulated AWS", () => {
    let account: Account;
    let folder: string;
    const asker = { network: "c", address: "10.9.0.4" };
    const ways = () => noWayTo(account, host, asker);
    const endpoint = (more: { vpc?: string; hasPrivateDns?: boolean } = {}) =>
        account.put("endpoints", "vpce-1", {
            ...{ name: "c-ec2", vpc: "vpc-1", service: "ec2", tables: [], subnets: ["subnet-2"], groups: ["sg-2"] },
            ...{ hasPrivateDns: true, ...more },
        });
    const rule = (peer: { peer: string } | { cidr: string }, port = 443) =>
        account.put("securityRules", "sgr-1", {
            ...{ name: "https", group: "sg-2", isIngress: true, protocol: "tcp", fromPort: port, toPort: port },
            ...peer,
        });

    beforeEach(() => {
        ({ account, folder } = example());
        // In another zone than the instance.
        account.put("subnets", "subnet-2", {
            name: "t",
            vpc: "vpc-1",
            cidr: "10.9.0.16/28",
            zone: "eu-central-1b",
        });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("does not exist without a route or an endpoint", () =>
        assert.equal(ways(), `there is no route from subnet-1 to ${host}`));

    it("leads through an endpoint in another zone whose groups admit the instance", () => {
        endpoint();
        assert.equal(ways(), "c-ec2 does not admit i-1");
        for (const peer of [{ peer: "sg-1" }, { cidr: "10.9.0.0/28" }]) {
            rule(peer);
            assert.equal(ways(), undefined);
        }
        for (const peer of [{ peer: "sg-3" }, { cidr: "10.9.0.16/28" }]) {
            rule(peer);
            assert.equal(ways(), "c-ec2 does not admit i-1");
        }
        rule({ peer: "sg-1" }, 80);
        assert.equal(ways(), "c-ec2 does not admit i-1");
    });

    it("does not lead through an endpoint without the service's private name", () => {
        rule({ peer: "sg-1" });
        for (const more of [{ hasPrivateDns: false }, { vpc: "vpc-2" }]) {
            endpoint(more);
            assert.match(ways()!, /^there is no route/);
        }
        endpoint();
        assert.match(noWayTo(account, "elasticloadbalancing.eu-central-1.amazonaws.com", asker)!, /^there is no route/);
    });

    it("leads through the internet, unless the name resolves to an endpoint", () => {
        account.put("associations", "a", { name: "a", table: "rtb-1", subnet: "subnet-1" });
        account.put("routes", "r", { name: "r", table: "rtb-1", gateway: "igw-1" });
        assert.equal(ways(), undefined);
        endpoint();
        assert.equal(ways(), "c-ec2 does not admit i-1");
    });

    it("exists for callers that are not instances", () =>
        assert.equal(noWayTo(account, host, { network: "c", address: "10.9.0.1" }), undefined));

    it("is used by an API", async () => {
        const api = reached({ hosts: /^ec2/, answer: () => ({ status: 200 }) });
        const asked = { method: "GET", host, path: "/", query: "", headers: {}, body: Buffer.of() };
        const ask = async () => (await api.answer(account, asked, { ...asker, caller: {} })).status;
        assert.equal(await ask(), 504);
        endpoint();
        rule({ peer: "sg-1" });
        assert.equal(await ask(), 200);
    });
});
