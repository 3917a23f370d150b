import { elbDialect, queryApi } from "../query/protocol";
import { capacityActions } from "./capacity";
import { groupActions } from "./groups";
import { lifecycleActions } from "./lifecycle";

/** Auto Scaling, as far as instances and cluster-autoscaler use it. Source: its API reference of version 2011-01-01. */
export const autoScaling = queryApi(/^autoscaling\.([a-z0-9-]+\.)?amazonaws\.com$/, [
    {
        version: "2011-01-01",
        dialect: elbDialect,
        actions: { ...groupActions, ...capacityActions, ...lifecycleActions },
    },
]);
