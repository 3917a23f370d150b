import assert from "node:assert/strict";
import * as v from "valibot";
import { tallies as recorded } from "../../../local/requests";
import { requestsOf, type Tallies } from "../../cluster/prober";
import { at } from "./sample";

describe("the results of a prober", () => {
    it("are recorded as the prober writes them", () => {
        const tally = { requests: 3, failures: [{ at: at(1), what: "HTTP 503" }], longestGap: 7 };
        const tallies: Tallies = { new: tally, http2: tally, watch: tally, keepAlive: tally };
        const file = requestsOf(tallies, new Date(at(0)), new Date(at(9)));
        assert.deepEqual(v.parse(recorded, file), { from: at(0), to: at(9), clients: tallies });
        assert.throws(() => v.parse(recorded, { ...file, from: "yesterday" }));
    });
});
