import { fromApi } from "./from-api";
import { fromEtcd } from "./from-etcd";
import { fromSnapshot } from "./from-snapshot";
import type { Recovery } from "./recovery";

export type { Recovery } from "./recovery";

/** Every loss that `tradewind recover` handles: docs/recovery.md. */
export const recoveries: readonly Recovery[] = [...fromApi, ...fromEtcd, ...fromSnapshot];
