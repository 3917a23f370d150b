import assert from "node:assert/strict";
import { fateOfInstances } from "../../../../../components/aws/machines/scaling";

const template = (version: string) => ({ launchTemplate: { id: "lt-1", version } });
const group = (more: object = {}) => ({ desiredCapacity: 3, maxSize: 3, ...template("1"), ...more });

describe("instances of an Auto Scaling group that changes", () => {
    const refresh = { instanceRefresh: { strategy: "Rolling" } };
    for (const [what, after, fate] of [
        ["stay if nothing changes", group(), undefined],
        ["stay if the group grows", group({ desiredCapacity: 5, maxSize: 5 }), undefined],
        ["may be removed if it shrinks", group({ desiredCapacity: 2 }), "removed"],
        ["may be removed if its maximum is lower than their number", group({ maxSize: 2 }), "removed"],
        ["are replaced by a refresh", group({ ...template("2"), ...refresh }), "replaced"],
        ["stay without a refresh, whatever is launched next", group(template("2")), undefined],
        ["stay if only the refresh is configured", group(refresh), undefined],
    ] as const) {
        it(what, () => {
            assert.equal(fateOfInstances(group(), after, 3), fate);
        });
    }
});
