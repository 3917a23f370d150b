import { attacksWithWorker } from "../intruder/with-a-worker";
import { sharedAttacked } from "../shared";

attacksWithWorker(sharedAttacked);
