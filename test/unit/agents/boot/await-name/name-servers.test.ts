import assert from "node:assert/strict";
import { Resolver } from "node:dns/promises";
import { has, nameServersOf } from "../../../../../agents/boot/await-name/await-name";
import { NameServer, type Records } from "./name-server";

describe("the name servers of a domain", function () {
    this.timeout(20_000);
    let opened: NameServer[];

    beforeEach(() => {
        opened = [];
    });
    afterEach(() => Promise.all(opened.map((each) => each.close())));

    const open = async (...args: [records: Records, otherwise?: "REFUSED"]) => {
        const server = await NameServer.open(...args);
        opened.push(server);
        return server;
    };
    const resolverOf = ({ address }: NameServer) => {
        const resolver = new Resolver({ timeout: 1000, tries: 1 });
        resolver.setServers([address]);
        return resolver;
    };

    it("are found by their names", async () => {
        const server = await open({
            "NS example.com": ["ns1.example.net", "ns2.example.net"],
            "A ns1.example.net": ["192.0.2.1"],
            "A ns2.example.net": ["192.0.2.2"],
        });
        assert.deepEqual(await nameServersOf("example.com", resolverOf(server)), ["192.0.2.1", "192.0.2.2"]);
    });

    it("are empty if the domain lists none", async () => {
        assert.deepEqual(await nameServersOf("example.com", resolverOf(await open({}))), []);
        assert.deepEqual(await nameServersOf("example.com", resolverOf(await open({}, "REFUSED"))), []);
    });

    it("have a name, lack it, or do not answer", async () => {
        const server = await open({ "A api.c.example.com": ["203.0.113.7"] });
        assert.equal(await has(server.address, "api.c.example.com"), true);
        assert.equal(await has(server.address, "api.d.example.com"), false);
        assert.equal(await has((await open({}, "REFUSED")).address, "api.c.example.com"), undefined);
    });
});
