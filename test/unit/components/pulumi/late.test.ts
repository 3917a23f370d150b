import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { afterDependencies, lookUpLate, requireLate, shown } from "../../../../components/pulumi/late";
import { deploy, resolved } from "../../deploy";

const short = (text: string) => {
    if (text.length > 3) throw new Error(`name must be short (got ${text})`);
    return text.toUpperCase();
};

class Created extends pulumi.CustomResource {
    constructor() {
        super("test:index:Made", "made", {});
    }
}

describe("an option that may come from another resource", () => {
    it("is checked at once if it is plain", () => {
        assert.equal(requireLate("abc", short), "ABC");
        assert.throws(() => requireLate("abcd", short), { message: "name must be short (got abcd)" });
    });

    it("is checked once it is known otherwise, and stays secret", async () => {
        const late = requireLate(pulumi.secret("abc"), short) as pulumi.Output<string>;
        assert.equal(await resolved(late), "ABC");
        assert.equal(await pulumi.isSecret(late), true);
        for (const value of [pulumi.output("abcd"), Promise.resolve("abcd")]) {
            await assert.rejects(resolved(requireLate(value, short) as pulumi.Output<string>), (error: Error) => {
                assert.ok(pulumi.RunError.isInstance(error));
                assert.equal(error.message, "name must be short (got abcd)");
                return true;
            });
        }
    });

    it("is looked up, unless a preview does not know it yet", async () => {
        for (const [isPreview, found] of [
            [true, []],
            [false, ["made-id"]],
        ] as const) {
            const asked: string[] = [];
            await deploy(
                () => {
                    const ask = async (id: string) => asked.push(id);
                    return lookUpLate(new Created().id, ask, "id", "there");
                },
                { isPreview, ...(isPreview && { outputs: () => ({ id: "" }) }) },
            );
            assert.deepEqual(asked, found);
        }
    });

    it("is looked up by name after the resources that its component depends on, which a preview may lack", async () => {
        for (const [isPreview, depends, expected] of [
            [true, true, true],
            [true, false, false],
            [false, true, false],
        ] as const) {
            const order: string[] = [];
            let mayLack: boolean | undefined;
            await deploy(
                () => {
                    const created = new Created();
                    created.id.apply(() => order.push("made"));
                    const opts = { dependsOn: depends ? [created] : [] };
                    const component = new pulumi.ComponentResource("test:index:Uses", "uses", {}, opts);
                    const asked = afterDependencies(component, opts).then((known) => {
                        order.push("looked up");
                        mayLack = known;
                    });
                    return pulumi.output(asked);
                },
                { isPreview },
            );
            assert.equal(mayLack, expected);
            if (depends) assert.deepEqual(order, ["made", "looked up"]);
        }
    });

    it("is an output in errors", () => {
        assert.deepEqual(shown(["a", pulumi.output("b"), Promise.resolve("c")]), ["a", "an output", "an output"]);
    });
});
