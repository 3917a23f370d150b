import assert from "node:assert/strict";
import { deployAws as create } from "./deploy-aws";

describe("an AMI that is looked up", function () {
    this.timeout(60_000);
    const told: string[] = [];
    const { warn } = console;
    before(() => {
        console.warn = (message: string) => void told.push(message);
    });
    after(() => {
        console.warn = warn;
    });
    beforeEach(() => void told.splice(0));

    const commandOf = async (image: string) => {
        const { resources } = await create({ image });
        return resources.find(({ name }) => name === `c-image-${image}`)!;
    };

    it("is kept by what tells it, and there is nothing to say", async () => {
        assert.equal((await commandOf("flatcar-beta")).inputs.create, "echo ami-0123456789abcdef0");
        assert.doesNotMatch(told.join("\n"), /image/);
    });

    it("is that of before when nobody finds it any more, and is never made without", async () => {
        const { inputs, opts } = await commandOf("flatcar-lts");
        assert.deepEqual([inputs.create, opts.ignoreChanges], ["exit 1", ["create"]]);
        assert.equal(opts.hooks?.beforeCreate?.length, 1);
        assert.match(
            told.join("\n"),
            /image must be an AMI of amd64 that is there in the region, got flatcar-lts: .*no results\. What boots goes on to be ami-0123456789abcdef0/,
        );
    });
});
