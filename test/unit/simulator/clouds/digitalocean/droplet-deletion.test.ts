import assert from "node:assert/strict";
import { stepOutOfTime } from "../../../../../simulator/clouds/digitalocean/droplet";

// Measured with the official plugin on a stand-in for the API; see the source named in the module.
const cases = [
    { title: "a droplet without graceful shutdown", shutdown: undefined, timeout: 0, step: undefined },
    { title: "a shutdown of 25 s", shutdown: 25, timeout: 0, step: undefined },
    { title: "a shutdown of 45 s", shutdown: 45, timeout: 0, step: "destroyed" },
    { title: "a shutdown of 75 s", shutdown: 75, timeout: 0, step: "off" },
    { title: "a shutdown of 75 s with 5 minutes", shutdown: 75, timeout: 300, step: undefined },
] as const;

describe("the deletion of a simulated droplet", () => {
    for (const { title, shutdown, timeout, step } of cases) {
        const outcome = step === undefined ? "succeeds in time" : `times out before it is ${step}`;
        it(`${outcome}: ${title}`, () =>
            assert.equal(stepOutOfTime(shutdown, timeout, { hasVolumes: shutdown !== undefined }), step));
    }
});
