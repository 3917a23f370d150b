import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Account } from "../../../../simulator/clouds/aws/account";
import { ownership as ofAws } from "../../../../simulator/clouds/aws/ownership";
import { types as awsTypes } from "../../../../simulator/clouds/aws/types";
import { ownership as ofDigitalOcean } from "../../../../simulator/clouds/digitalocean/ownership";
import { types as digitalOceanTypes } from "../../../../simulator/clouds/digitalocean/types";
import { diffInputs } from "../../../../simulator/clouds/shared/inputs";
import type { Ownership } from "../../../../simulator/clouds/shared/ownership";
import { UNKNOWN } from "../../../../simulator/plugins/protocol/serve";

const tests = resolve(__dirname, "../../..");
const clouds = {
    aws: { sdk: "@pulumi/aws", table: ofAws, types: awsTypes },
    digitalocean: { sdk: "@pulumi/digitalocean", table: ofDigitalOcean, types: digitalOceanTypes },
};

/** Types that recorded previews and golden graphs register. */
function recordedTypes(cloud: string): string[] {
    const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((file) =>
        /golden\/.*\.golden\.txt$/.test(file),
    );
    const named = files.flatMap((file) =>
        [...readFileSync(join(tests, file), "utf8").matchAll(/\b(?:aws|digitalocean):[\w/]+:[A-Z]\w+/g)].map(String),
    );
    return [...new Set(named)].filter((type) => type.startsWith(`${cloud}:`)).sort();
}

type Sample = readonly [from: unknown, to: unknown, isReplaced: boolean, others?: object];

/** Changes of an input, with other inputs that stay, by type and input: whether they replace the resource. */
const sometimes: Readonly<Record<string, readonly Sample[]>> = {
    "aws:ec2/instance:Instance instanceType": [
        ["t3.small", "m7i.large", false],
        ["t3.small", "t4g.small", true],
    ],
    "aws:ec2/subnet:Subnet ipv6CidrBlock": [
        ["2001:db8::/64", "2001:db8:1::/64", true, { assignIpv6AddressOnCreation: true }],
        ["2001:db8::/64", undefined, false, { assignIpv6AddressOnCreation: true }],
        [undefined, "2001:db8::/64", false],
    ],
    "aws:lb/loadBalancer:LoadBalancer subnets": [
        [["subnet-a"], ["subnet-a", "subnet-b"], false],
        [["subnet-a", "subnet-b"], ["subnet-b", "subnet-a"], false],
        // Odd, but so it is.
        [["subnet-a"], ["subnet-b", "subnet-c"], false],
        [["subnet-a", "subnet-b"], ["subnet-a"], true],
        [["subnet-a", "subnet-b"], ["subnet-a", "subnet-c"], true],
        [["subnet-a", "subnet-b"], ["subnet-a", UNKNOWN], false],
    ],
    "aws:lb/loadBalancer:LoadBalancer securityGroups": [
        [["sg-a"], ["sg-b"], false],
        [["sg-a"], [], true],
        [undefined, ["sg-a"], true],
    ],
    "digitalocean:index/customImage:CustomImage regions": [
        [["fra1"], ["fra1", "nyc3"], false],
        [["fra1", "nyc3"], ["nyc3"], true],
    ],
    "digitalocean:index/droplet:Droplet ipv6": [
        [undefined, true, false],
        [true, undefined, true],
    ],
};

function isReplacedBy(path: string, from: unknown, to: unknown, ownership: Ownership, others = {}): boolean {
    const [input, inner] = path.split(".");
    const at = (value: unknown) => ({ ...others, [input!]: inner === undefined ? value : { [inner]: value } });
    const { changes } = diffInputs(at(from), at(to), ownership);
    assert.notDeepEqual(changes, {});
    return Object.values(changes).some(({ replace }) => replace);
}

describe("a refresh of the simulated AWS", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-ownership-"));
    after(() => rmSync(folder, { recursive: true }));

    it("finds what is shared with others, if our components ignore it", () => {
        const account = Account.open(join(folder, "account.json"), { region: "eu-central-1", zones: {}, amis: {} });
        account.put("hostedZones", "Z2", { name: "example.com", vpcs: ["vpc-1"], isForced: false });
        account.put("zoneAssociations", "Z2:vpc-2", { name: "Z2:vpc-2", zone: "Z2", vpc: "vpc-2" });
        account.put("zoneAssociations", "Z3:vpc-3", { name: "Z3:vpc-3", zone: "Z3", vpc: "vpc-3" });
        const vpcs = [{ vpcId: "vpc-1" }, { vpcId: "vpc-2" }];
        assert.deepEqual(awsTypes["aws:route53/zone:Zone"]!.now!(account, "Z2"), { vpcs });
        const ignored = Object.entries(ofAws).filter(([, { shared = {} }]) =>
            Object.values(shared).some(({ safe }) => safe === "ignored"),
        );
        for (const [token] of ignored) assert.ok(awsTypes[token]!.now, token);
    });
});

for (const [cloud, { sdk, table, types }] of Object.entries(clouds)) {
    describe(`what the provider of ${cloud} replaces, shares and takes along`, () => {
        it("is written down for every type that is simulated, and for no other", () => {
            assert.deepEqual(Object.keys(table).sort(), Object.keys(types).sort());
        });

        it("is written down for every type that our stacks register", () => {
            const recorded = recordedTypes(cloud);
            assert.ok(recorded.length > 9, recorded.join());
            assert.deepEqual(
                recorded.filter((type) => !Object.hasOwn(table, type)),
                [],
            );
        });

        for (const [token, ownership] of Object.entries(table)) {
            const { replacedBy, sometimesReplacedBy = {}, shared = {}, omitted = {}, name } = ownership;
            const { inputs, update, autoName } = types[token]!;
            const whole = replacedBy.filter((path) => !path.includes("."));

            it(`names inputs of a ${token.split(":")[2]}, and what it must omit`, () => {
                const named = [...replacedBy, ...Object.keys(sometimesReplacedBy), ...Object.keys(shared)];
                for (const path of [...named, ...(name ? [name] : [])]) assert.ok(inputs[path.split(".")[0]!], path);
                const [, module = "", file] = /^\w+:(?:index|(\w+))\/(\w+):/.exec(token)!;
                const folder = dirname(require.resolve(`${sdk}/package.json`));
                const declared = readFileSync(join(folder, module, `${file}.d.ts`), "utf8");
                for (const property of Object.keys(omitted)) {
                    assert.equal(inputs[property], undefined, property);
                    assert.match(declared, new RegExp(`\\b${property}\\?: `));
                }
            });

            it(`decides which changes replace a ${token.split(":")[2]}`, () => {
                for (const path of replacedBy) assert.ok(isReplacedBy(path, "a", "b", ownership), path);
                const others = Object.keys(inputs).filter((input) => !whole.includes(input));
                const inPlace = others.filter((input) => !Object.hasOwn(sometimesReplacedBy, input));
                for (const input of inPlace) assert.ok(!isReplacedBy(input, "a", "b", ownership), input);
                for (const input of Object.keys(sometimesReplacedBy)) {
                    const samples = sometimes[`${token} ${input}`] ?? [];
                    for (const [from, to, expected, others] of samples) {
                        const shown = `${input}: ${JSON.stringify([from, to])}`;
                        assert.equal(isReplacedBy(input, from, to, ownership, others), expected, shown);
                    }
                    assert.deepEqual(new Set(samples.map(([, , expected]) => expected)), new Set([true, false]));
                }
                if (others.length > 0) assert.ok(update, "cannot be changed in place");
            });

            if (name === undefined || autoName !== undefined) continue;
            it(`deletes a ${token.split(":")[2]} before its replacement if both have the same name`, () => {
                const other = whole.find((input) => input !== name);
                if (other === undefined) return;
                const before = { [name]: "c", [other]: "a" };
                assert.equal(diffInputs(before, { ...before, [other]: "b" }, ownership).deleteBeforeReplace, true);
                const renamed = { [name]: "d", [other]: "b" };
                assert.equal(diffInputs(before, renamed, ownership).deleteBeforeReplace, undefined);
                assert.equal(diffInputs(before, before, ownership).deleteBeforeReplace, undefined);
            });
        }
    });
}
