import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../simulator/clouds/digitalocean/account";
import { call } from "../../../../../simulator/clouds/digitalocean/client";
import { customImage } from "../../../../../simulator/clouds/digitalocean/custom-image";
import { droplet } from "../../../../../simulator/clouds/digitalocean/droplet";
import { functions } from "../../../../../simulator/clouds/digitalocean/functions";
import { recorded } from "../../../../../simulator/clouds/digitalocean/recorded";
import { types } from "../../../../../simulator/clouds/digitalocean/types";
import { resourceOf } from "../../../../../simulator/clouds/shared/simulated";
import type { Operation, Properties } from "../../../../../simulator/plugins/protocol/serve";

describe("a hostile simulated DigitalOcean", () => {
    let folder: string;
    let account: Account;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-hostile-"));
        const owned = { domains: ["example.com"], images: { 17: "ignition" }, sshKeys: ["42"], slowness: 0 } as const;
        account = Account.open(join(folder, "account.json"), owned);
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const operation = (type: string, name = "c") =>
        ({ urn: "", type, name, log: {}, signal: {}, secrets: new Set() }) as unknown as Operation;
    const of = (type: string) => recorded(resourceOf(types[type]!, account), account, types[type]!.now);
    const create = (type: string, inputs: Properties) =>
        of(type).create({ ...operation(type), inputs, preview: false, timeout: 0 });
    const read = (type: string, id: string, inputs: Properties = {}, state: Properties = {}) =>
        of(type).read!({ ...operation(type), id, inputs, state, timeout: 0 });

    describe("throttles calls", () => {
        it("that its provider's client repeats four times", async () => {
            account.behave({ throttled: 4 });
            assert.equal(await call(account, "Error creating c", () => "made"), "made");
            account.behave({ throttled: 5 });
            await assert.rejects(
                call(account, "Error creating c", () => assert.fail("called")),
                /^Error: Error creating c: 429 Too many requests, giving up after 5 attempt\(s\)$/,
            );
        });

        it("of every operation of a resource", async () => {
            account.behave({ throttled: 99 });
            const type = "digitalocean:index/tag:Tag";
            await assert.rejects(create(type, { name: "c" }), /429/);
            await assert.rejects(async () => read(type, "c"), /429/);
            const deletion = { ...operation(type), id: "c", inputs: {}, state: {}, timeout: 0 };
            await assert.rejects(of(type).delete!(deletion), /429/);
        });
    });

    const record = { domain: "example.com", type: "AAAA", name: "api.c", value: "2001:db8::1", ttl: 60 };
    const ownImage = { name: "c", url: "https://a.example/1.img", regions: ["fra1"] };
    const made: Readonly<Record<string, Properties>> = {
        "tag:Tag": { name: "c" },
        "volume:Volume": { name: "c-etcd", region: "fra1", size: 20 },
        "dnsRecord:DnsRecord": record,
        "domain:Domain": { name: "team.example.org" },
        "project:Project": { name: "team", environment: "production" },
        "spacesBucket:SpacesBucket": { name: "acme", region: "fra1", acl: "private" },
        "sshKey:SshKey": { name: "team", publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAB me@example.org" },
    };
    for (const [name, inputs] of Object.entries(made)) {
        it(`imports a ${name.split(":")[1]} with its inputs, and misses it once it is deleted`, async () => {
            const type = `digitalocean:index/${name}`;
            const { id, state } = await create(type, inputs);
            const prefix = { "dnsRecord:DnsRecord": "example.com,", "spacesBucket:SpacesBucket": "fra1," }[name] ?? "";
            const imported = await read(type, `${prefix}${id}`);
            assert.deepEqual([imported!.id, imported!.inputs, imported!.state], [id, inputs, state]);
            if (prefix) assert.equal(await read(type, id), undefined, "its id lacks where it is");
            assert.equal(await read("digitalocean:index/firewall:Firewall", id), undefined, "it has another type");
            await of(type).delete!({ ...operation(type), id, inputs, state, timeout: 0 });
            assert.equal(await read(type, id, inputs, state), undefined);
        });
    }

    it("finds a project and the resources in it, which have the same id", async () => {
        const [of, contents] = [
            "digitalocean:index/project:Project",
            "digitalocean:index/projectResources:ProjectResources",
        ];
        const { id, state } = await create(of!, { name: "team" });
        account.put("volumes", "v", { name: "data", region: "fra1", size: 1 });
        const resources = { project: id, resources: ["do:volume:v"] };
        assert.equal((await create(contents!, resources)).id, id);
        const found = await read(of!, id, { name: "team" }, state);
        assert.deepEqual([found!.inputs, found!.state.resources], [{ name: "team" }, ["do:volume:v"]]);
        assert.deepEqual((await read(contents!, id, resources, resources))!.inputs, resources);
    });

    it("imports types without an importer incompletely", async () => {
        const type = "digitalocean:index/customImage:CustomImage";
        const { id } = await create(type, ownImage);
        assert.deepEqual((await read(type, id))!.inputs, { name: "c", regions: ["fra1"] });
    });

    it("reports on a refresh what another client changed, of inputs that the program sets", async () => {
        const type = "digitalocean:index/volume:Volume";
        const inputs = { name: "c-etcd", region: "fra1", size: 20 };
        const { id, state } = await create(type, inputs);
        const kept = account.state.records![id]!;
        account.record(id, { ...kept, inputs: { ...kept.inputs, size: 30, description: "theirs" } });
        const found = await read(type, id, inputs, state);
        assert.deepEqual(found!.inputs, { ...inputs, size: 30 });
    });

    it("keeps no user-data, SSH keys or tokens in what a provider reads", async () => {
        account.record("1", { type: "digitalocean:index/droplet:Droplet", inputs: {}, state: {} });
        const type = "digitalocean:index/tag:Tag";
        await recorded(
            { create: async ({ inputs }) => ({ id: "t", state: { ...inputs, userData: "secret" } }) },
            account,
            undefined,
        ).create({ ...operation(type), inputs: { userData: "secret", sshKeys: ["42"] }, preview: false, timeout: 0 });
        assert.doesNotMatch(JSON.stringify(account.state.records), /secret|42/);
    });

    const inputs = { name: "c-a-0", region: "fra1", size: "s-2vcpu-2gb", image: "17", vpcUuid: "v", sshKeys: ["42"] };
    const refused: readonly [string, Properties, Partial<Account["state"]>, RegExp][] = [
        ["beyond the account's limit", {}, { dropletLimit: 0 }, /will exceed your droplet limit/],
        ["of a size of other regions", { size: "c-2" }, {}, /Size is not available in this region: c-2/],
        ["of a size that is sold out", { size: "m-2vcpu-16gb" }, {}, /Size is not available in this region/],
        [
            "of an image of other regions",
            {},
            { imageRegions: { 17: ["nyc3"] } },
            /Image is not available in the selected region: 17/,
        ],
        [
            "of an unknown image",
            { image: "18" },
            {},
            /image must be one that the service or the account has \(got 18\)/,
        ],
        ["with an unknown key", { sshKeys: ["43"] }, {}, /43 are invalid key identifiers/],
        ["of a custom image, with a metrics agent", { monitoring: true }, {}, /gets no metrics agent/],
    ];
    for (const [what, more, behaviour, message] of refused) {
        it(`refuses a droplet ${what}`, async () => {
            account.behave(behaviour);
            await assert.rejects(droplet.create(account, { ...inputs, ...more }), message);
        });
    }

    it("has images that are pending for a while", async () => {
        account.behave({ slowness: 0.05 });
        const creation = customImage.create(account, ownImage);
        const [[id, image] = assert.fail("no image")] = Object.entries(account.resources.images);
        assert.equal(image.status, "pending");
        const look = functions["digitalocean:index/getImage:getImage"]!;
        assert.equal(look(account, { id: Number(id) }).status, "pending");
        await creation;
        assert.deepEqual(
            [look(account, { id: Number(id) }).status, look(account, { id: Number(id) }).regions],
            ["available", ["fra1"]],
        );
    });

    it("permits lookups by scope", () => {
        account.behave({ lackedScopes: ["sizes:read"] });
        const ask = (name: string) => functions[`digitalocean:index/${name}:${name}`]!(account, {});
        assert.throws(() => ask("getSizes"), /^Error: 403 /);
        assert.equal(ask("getAccount").dropletLimit, 25);
    });
});
