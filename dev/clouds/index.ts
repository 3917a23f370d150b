import type { CloudName } from "../../cluster/clouds";
import { aws } from "./aws";
import { digitalocean } from "./digitalocean";
import type { DocumentedCloud } from "./facts";

export const documented: Readonly<Record<CloudName, DocumentedCloud>> = { aws, digitalocean };
