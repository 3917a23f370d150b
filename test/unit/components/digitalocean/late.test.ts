import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { DigitalOceanClusterArgs } from "../../../../components/digitalocean/cluster";
import { deployDigitalOcean } from "./deploy-digitalocean";

type Value = pulumi.Input<string>;

/** Everything that may come from other resources, as plain values or as something else. */
function args(late: (value: string) => Value): Partial<DigitalOceanClusterArgs> {
    return {
        image: late("170000001"),
        sshKeys: [late("42")],
        project: late("acme"),
        tags: [late("team-blue"), "plain"],
        workerPools: [{ name: "w" }],
        recreate: ["c-w-0"],
    };
}

describe("a cluster on DigitalOcean whose arguments come from other resources", () => {
    const describeAll = ({ resources }: Awaited<ReturnType<typeof deployDigitalOcean>>) => {
        const all = resources.map(({ type, name, inputs, dependsOn }) => ({ type, name, inputs, dependsOn }));
        const key = ({ type, name }: (typeof all)[number]) => `${type} ${name}`;
        return all.sort((one, other) => (key(one) < key(other) ? -1 : 1));
    };

    it("has the same resources as with plain values", async () => {
        const plain = describeAll(await deployDigitalOcean(args((value) => value)));
        assert.ok(plain.length > 100);
        for (const late of [(value: string) => pulumi.output(value), (value: string) => Promise.resolve(value)]) {
            assert.deepEqual(describeAll(await deployDigitalOcean(args(late))), plain);
        }
    });

    it("has the same names in a preview that knows none of them", async () => {
        const unknown = () => pulumi.output(pulumi.unknown as unknown as Value);
        const namesOf = ({ resources }: Awaited<ReturnType<typeof deployDigitalOcean>>) =>
            resources.map(({ name }) => name).sort();
        const plain = namesOf(
            await deployDigitalOcean(
                args((value) => value),
                true,
            ),
        );
        assert.deepEqual(namesOf(await deployDigitalOcean(args(unknown), true)), plain);
    });

    const wrong: readonly (readonly [Partial<DigitalOceanClusterArgs>, RegExp])[] = [
        [
            { image: pulumi.output("ubuntu-26-04-x64") },
            /^image must be the id of a custom image \(got ubuntu-26-04-x64\)$/,
        ],
        [{ sshKeys: [pulumi.output("mine")] }, /^sshKeys\[0\] must be the id or fingerprint of a key \(got mine\)$/],
        [{ project: pulumi.output(" ") }, /^project must be the name or id of a project \(got /],
        [{ tags: [pulumi.output("C")] }, /^tags\[0\] must not be one of c, c-controller, .* \(got C\)$/],
        [{ sshKeys: [pulumi.output("43")] }, /^sshKeys\[0\] must be a key of the account, .* \(got 43\)$/],
    ];
    for (const [option, message] of wrong) {
        it(`is refused as soon as the value is known: ${Object.keys(option)}`, async () => {
            await assert.rejects(deployDigitalOcean({ ...args((value) => value), ...option }), { message });
        });
    }
});
