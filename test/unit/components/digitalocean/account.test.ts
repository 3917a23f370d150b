import assert from "node:assert/strict";
import { recordWarnings } from "../../record-warnings";
import { account, deployDigitalOcean as create } from "./deploy-digitalocean";

describe("a preview of a cluster on DigitalOcean", function () {
    this.timeout(60_000);
    const warned = recordWarnings();
    const before = { ...account };

    afterEach(() => void Object.assign(account, before));

    const droplet = { name: "c-controller-0", size: "s-2vcpu-4gb", tags: ["c", "c-controller"] };

    it("reports everything that the account lacks, before anything is created", async () => {
        account.dropletLimit = 0;
        for (const isPreview of [true, false]) {
            await assert.rejects(
                () => create({ domain: "example.net", image: "nonsense", sshKeys: [] }, isPreview),
                /^Error: domain must be .* \(got example\.net\): .*\nimage must be .* \(got nonsense\): .*\nthe account's droplet limit must be at least 1, /,
            );
        }
    });

    it("warns of what the token may not look up, and names the scope", async () => {
        account.forbidden = ["getSizes", "getAccount", "getImage", "getSshKeys", "getDomain", "getDroplets"];
        await create();
        const warnings = warned.join("\n");
        for (const scope of ["sizes", "account", "image", "ssh_key", "domain", "droplet"]) {
            assert.match(warnings, new RegExp(`the token needs the scope ${scope}:read: .*403`));
        }
    });

    it("warns of a domain that is delegated elsewhere", async () => {
        account.nameServers = { "example.com": ["ns.other.net"] };
        await create();
        assert.match(
            warned.join("\n"),
            /domain example\.com is not delegated .*: its name servers are ns\.other\.net\./,
        );
    });

    it("looks up nothing but droplets if all exist, so that a withdrawn image or size blocks no change", async () => {
        account.droplets = [droplet];
        account.forbidden = ["getSizes", "getAccount", "getImage", "getSshKeys", "getDomain"];
        await create({ domain: "example.net", image: "nonsense" });
        assert.doesNotMatch(warned.join("\n"), /could not check/);
    });

    it("has an imported image instead, which every new droplet boots", async () => {
        const { resources } = await create({ importedImage: { version: "4593.2.1" }, workerPools: [{ name: "a" }] });
        const image = resources.find(({ type }) => type.endsWith(":CustomImage"))!;
        assert.deepEqual(image.inputs, {
            name: "c-4593.2.1",
            url: "https://stable.release.flatcar-linux.net/amd64-usr/4593.2.1/flatcar_production_digitalocean_image.bin.bz2",
            distribution: "CoreOS",
            regions: ["fra1"],
            description: "imported by the Tradewind cluster c",
        });
        const droplets = resources.filter(({ type }) => type.endsWith(":Droplet"));
        assert.deepEqual(
            droplets.map(({ inputs }) => inputs.image),
            ["180000001", "180000001"],
        );
    });
});
