import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { isKnown, whichAreKnown } from "../../../../components/pulumi/engine";
import { deploy, resolved } from "../../deploy";

class Created extends pulumi.CustomResource {
    declare readonly pem: pulumi.Output<string>;
    constructor(name: string) {
        super("test:index:Made", name, { pem: undefined });
    }
}

describe("what is known in a preview", () => {
    const program = () => {
        const comes = new Created("comes").pem;
        const some = whichAreKnown([pulumi.output("a"), comes, pulumi.secret("b")]);
        return { comes: isKnown(comes), some, none: isKnown(whichAreKnown([comes])) };
    };

    it("is what was there before, out of several too, and stays secret", async () => {
        const { result } = await deploy(program, { isPreview: true });
        assert.deepEqual(await resolved(result.some), ["a", "b"]);
        assert.equal(await pulumi.isSecret(result.some), true);
        assert.deepEqual([await result.comes, await result.none], [false, false]);
    });

    it("is all that there is in an up", async () => {
        const { result } = await deploy(program, { outputs: () => ({ pem: "c" }) });
        assert.deepEqual(await resolved(result.some), ["a", "c", "b"]);
        assert.deepEqual([await result.comes, await result.none], [true, true]);
    });
});
