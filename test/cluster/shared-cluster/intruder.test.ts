import { attacksWithWorker } from "../intruder/with-a-worker";
import { sharedCluster, sharedScene } from "../shared";

attacksWithWorker(sharedScene, sharedCluster);
