export {
	checkSender,
	notCheckedBecause,
	type Authentication,
	type SenderCheck,
} from './checkSender';
