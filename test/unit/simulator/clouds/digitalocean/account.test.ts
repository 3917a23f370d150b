import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../simulator/clouds/digitalocean/account";
import { dnsRecord } from "../../../../../simulator/clouds/digitalocean/dns-record";
import { domain } from "../../../../../simulator/clouds/digitalocean/domain";
import { functions } from "../../../../../simulator/clouds/digitalocean/functions";
import { project } from "../../../../../simulator/clouds/digitalocean/project";
import { projectResources } from "../../../../../simulator/clouds/digitalocean/project-resources";
import { spacesBucket, spacesKey } from "../../../../../simulator/clouds/digitalocean/spaces-bucket";
import { sshKey } from "../../../../../simulator/clouds/digitalocean/ssh-key";
import { tag } from "../../../../../simulator/clouds/digitalocean/tag";
import { requireVolumes, volume } from "../../../../../simulator/clouds/digitalocean/volume";
import { vpc } from "../../../../../simulator/clouds/digitalocean/vpc";

describe("a simulated account", () => {
    let folder: string;
    let account: Account;
    const path = () => join(folder, "state/account.json");

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
        account = Account.open(path(), { domains: ["example.com"], images: {}, sshKeys: [] });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("records what was created, for other readers, and what is left", async () => {
        await tag.create(account, { name: "c" });
        assert.deepEqual(new Account(path()).left, ["tags c"]);
        await tag.delete(account, "c");
        assert.deepEqual(new Account(path()).left, []);
        assert.deepEqual(account.state.domains, ["example.com"]);
    });

    it("removes a deleted tag from everything that has it, also if others added it", async () => {
        account.put("volumes", "v", { name: "c-a-0-etcd", region: "fra1", size: 1, tags: ["c", "other"] });
        await tag.create(account, { name: "c" });
        await tag.delete(account, "c");
        assert.deepEqual(account.resources.volumes.v!.tags, ["other"]);
    });

    it("returns ids in the service's format", () => {
        assert.match(account.newId("droplets"), /^\d+$/);
        assert.match(account.newId("vpcs"), /^[0-9a-f-]{36}$/);
    });

    it("keeps a VPC while it has members", async () => {
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
        account.put("droplets", "1", { name: "c-a-0", region: "fra1", vpc: "v", address: "172.24.0.10", tags: [] });
        await assert.rejects(() => vpc.delete(account, "v"), /Can not delete VPC with members: c-a-0/);
        assert.deepEqual(account.left, ["vpcs c", "droplets c-a-0"]);
    });

    it("keeps the first VPC of a region, which is its default and is returned as such", async () => {
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20", isDefault: true });
        const ask = functions["digitalocean:index/getVpc:getVpc"]!;
        assert.equal(ask(account, { region: "fra1" }).id, "v");
        await assert.rejects(() => vpc.delete(account, "v"), /v2\/vpcs\/v: 403 Can not delete default VPCs/);
        assert.throws(() => ask(account, { region: "nyc3" }), /unable to find default VPC in nyc3 region/);
        account = Account.open(path(), { ...account.state, defaultVpcs: ["nyc3"] });
        assert.equal(ask(account, { region: "nyc3" }).default, true);
    });

    it("has volumes that can be attached once, in their region, and stay while attached", async () => {
        const inputs = { name: "c-a-0-etcd", region: "fra1", size: 20 };
        const { id } = await volume.create(account, inputs);
        await assert.rejects(() => volume.create(account, inputs), /a volume named c-a-0-etcd already exists in fra1/);
        assert.throws(() => requireVolumes(account, [id], "nyc3"), /must be volumes of nyc3 \(got one of fra1\)/);
        assert.throws(() => requireVolumes(account, ["gone"], "fra1"), /must be of existing volumes \(got gone\)/);
        requireVolumes(account, [id], "fra1");
        const droplet = { name: "c-a-0", region: "fra1", vpc: "v", address: "172.24.0.10", tags: [], volumes: [id] };
        account.put("droplets", "1", droplet);
        assert.throws(
            () => requireVolumes(account, [id], "fra1"),
            /one droplet at a time: c-a-0-etcd is attached to c-a-0/,
        );
        await assert.rejects(
            () => volume.delete(account, id),
            /attached volume cannot be deleted: c-a-0-etcd is attached to c-a-0/,
        );
        await assert.rejects(() => volume.update!(account, id, { size: 10 }), /can only grow, from 20 GiB \(got 10\)/);
        account.remove("droplets", "1");
        await volume.delete(account, id);
        assert.deepEqual(account.left, []);
    });

    it("has buckets with separate keys, which are deleted before them", async () => {
        const bucket = { name: "acme", region: "fra1" };
        const made = await spacesBucket.create(account, bucket);
        assert.equal(made.outputs?.bucketDomainName, "acme.fra1.digitaloceanspaces.com");
        await assert.rejects(() => spacesBucket.create(account, bucket), /BucketAlreadyExists: acme in fra1/);
        const of = (name: string) => ({ name: "c-snapshots", grants: [{ bucket: name, permission: "readwrite" }] });
        await assert.rejects(() => spacesKey.create(account, of("gone")), /must be of existing buckets \(got gone\)/);
        const key = await spacesKey.create(account, of("acme"));
        assert.match(`${key.outputs?.accessKey} ${key.outputs?.secretKey}`, /^DO00[0-9A-F]{16} [\w-]{43}$/);
        await assert.rejects(
            () => spacesBucket.delete(account, made.id),
            /does not delete a bucket while a key .*: c-snapshots/,
        );
        await spacesKey.delete(account, key.id);
        await spacesBucket.delete(account, made.id);
        assert.deepEqual(account.left, []);
    });

    it("has droplets, volumes and Spaces in projects, and moves them to the default one when removed from a list", async () => {
        const project = "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679";
        account = Account.open(path(), { domains: [], images: {}, sshKeys: [], projects: { [project]: "acme" } });
        const name = "c-a-0-etcd";
        const { id } = await volume.create(account, { name, region: "fra1", size: 20 });
        const projectOf = (each: string) => account.resources.volumes[each]!.project;
        const resources = [`do:volume:${id}`];
        const { create, update } = projectResources;
        await assert.rejects(
            () => create(account, { project: "none", resources }),
            /one of the account's \(got none\)/,
        );
        const gone = ["do:volume:gone"];
        await assert.rejects(() => create(account, { project, resources: gone }), /must exist \(got do:volume:gone\)/);
        const made = await create(account, { project, resources });
        assert.deepEqual([made.id, projectOf(id)], [project, project]);
        await volume.update!(account, id, { size: 30 });
        assert.equal(projectOf(id), project);
        await update!(account, project, { project, resources: [] }, { resources: [...resources, ...gone] });
        assert.equal(projectOf(id), undefined);
    });

    it("has domains of stacks, which take their records along", async () => {
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
        const ask = functions["digitalocean:index/getDomain:getDomain"]!;
        const name = "team.example.org";
        assert.throws(() => ask(account, { name }), /404/);
        const { id } = await domain.create(account, { name });
        assert.deepEqual([id, ask(account, { name }).name], [name, name]);
        for (const taken of [name, "example.com"]) {
            await assert.rejects(() => domain.create(account, { name: taken }), /422 .*name already exists/);
        }
        await dnsRecord.create(account, { domain: name, type: "AAAA", name: "api.c", value: "2001:db8::1" });
        await dnsRecord.create(account, { domain: "example.com", type: "AAAA", name: "d", value: "2001:db8::1" });
        await domain.delete(account, id);
        assert.deepEqual(account.left, ["vpcs c", "dnsRecords d"]);
        const again = { domain: name, type: "AAAA", name: "api.c", value: "2001:db8::1" };
        await assert.rejects(() => dnsRecord.create(account, again), /domain must be one of the account's/);
    });

    it("has SSH keys of stacks, by number and by fingerprint, each once", async () => {
        const key = { name: "team", publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAB me@example.org" };
        const { id, outputs } = await sshKey.create(account, key);
        assert.match(id, /^\d+$/);
        assert.match(String(outputs!.fingerprint), /^([0-9a-f]{2}:){15}[0-9a-f]{2}$/);
        const other = { name: "theirs", publicKey: "  ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAB" };
        await assert.rejects(() => sshKey.create(account, other), /422 SSH Key is already in use on your account/);
        await sshKey.update!(account, id, { ...key, name: "renamed" });
        const found = functions["digitalocean:index/getSshKeys:getSshKeys"]!(account, {});
        assert.deepEqual(found.sshKeys, [{ id: Number(id), ...key, ...outputs, name: "renamed" }]);
        await sshKey.delete(account, id);
        assert.deepEqual(account.left, []);
    });

    it("has projects of stacks with unique names, which stay while they contain anything", async () => {
        account.behave({ projects: { "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679": "acme" } });
        const { id } = await project.create(account, { name: "team" });
        const ask = functions["digitalocean:index/getProject:getProject"]!;
        assert.deepEqual([ask(account, { name: "team" }).id, ask(account, { id }).name], [id, "team"]);
        for (const name of ["team", "acme"]) {
            await assert.rejects(() => project.create(account, { name }), /409 name is already in use/);
        }
        await assert.rejects(() => project.update!(account, id, { name: "acme" }), /409/);
        await project.update!(account, id, { name: "team", purpose: "IoT" });
        const { id: disk } = await volume.create(account, { name: "data", region: "fra1", size: 20 });
        await projectResources.create(account, { project: id, resources: [`do:volume:${disk}`] });
        assert.deepEqual(project.now!(account, id), { resources: [`do:volume:${disk}`] });
        await assert.rejects(() => project.delete(account, id), /412 cannot delete a project with resources/);
        assert.equal(account.waited, 180);
        await volume.delete(account, disk);
        await project.delete(account, id);
        assert.deepEqual(account.left, []);
    });

    it("has AAAA records, which machines do not see, and rejects an address of the other family", async () => {
        const record = { domain: "example.com", type: "AAAA", name: "api.c", value: "2001:db8::1" };
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
        const { id } = await dnsRecord.create(account, record);
        await dnsRecord.delete(account, id);
        await assert.rejects(
            () => dnsRecord.create(account, { ...record, value: "192.0.2.1" }),
            /value must be valid for a record of type AAAA \(got 192\.0\.2\.1\)/,
        );
    });

    it("rejects overlapping VPCs", async () => {
        account.put("vpcs", "v", { name: "c", region: "fra1", ipRange: "172.24.0.0/20" });
        const other = { name: "d", region: "fra1", ipRange: "172.24.8.0/24" };
        await assert.rejects(() => vpc.create(account, other), /overlaps with another VPC network in your account/);
    });
});
