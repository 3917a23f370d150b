import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { planSchema } from "./plan";
import { receive } from "./receive";

runAgent(async (path = "") => receive(readPlan(path, planSchema)), { onSignal: "the next start resumes here" });
