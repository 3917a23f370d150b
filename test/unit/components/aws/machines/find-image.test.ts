import assert from "node:assert/strict";
import { recordWarnings } from "../../../record-warnings";
import { deployAws as create } from "../deploy-aws";

describe("an AMI that is looked up", function () {
    this.timeout(60_000);
    const warnings = recordWarnings();

    const commandOf = async (image: string) => {
        const { resources } = await create({ image });
        return resources.find(({ name }) => name === `c-image-${image}`)!;
    };

    it("is kept by its publisher, without a warning", async () => {
        assert.equal((await commandOf("flatcar-beta")).inputs.create, "echo ami-0123456789abcdef0");
        assert.doesNotMatch(warnings.join("\n"), /image/);
    });

    it("is that of before when it is not found any more, and is never made without", async () => {
        const { inputs, opts } = await commandOf("flatcar-lts");
        assert.deepEqual([inputs.create, opts.ignoreChanges], ["exit 1", ["create"]]);
        assert.equal(opts.hooks?.beforeCreate?.length, 1);
    });

    it("is warned of once, with all that boots it, when its id is not found or could not be checked", async () => {
        const booting = (image: string) => create({ controllers: { count: 3, image } });
        await booting("ami-0123456789abcde00");
        const machines = "c-controller-0, c-controller-1 and c-controller-2 boot,";
        const gone = `The AMI ami-0123456789abcde00 (ami-0123456789abcde00), which ${machines} no longer exists`;
        assert.equal(warnings.filter((each) => each.includes(gone)).length, 1, warnings.join("\n"));
        await booting("ami-0123456789abcde01");
        assert.match(
            warnings.join("\n"),
            /Could not check whether the AMI ami-0123456789abcde01 .* still exists: .*UnauthorizedOperation/,
        );
    });
});
