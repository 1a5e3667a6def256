import type { TriggerPanelDefinition } from 'n8n-workflow';

/**
 * What the editor shows before it listens for a test event. n8n takes a workflow for active also after publishing it failed,
 * so the words for an active workflow are true in both states.
 */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Try it with an email of your own',
	executionsHelp: {
		inactive:
			"<b>While building your workflow</b>, click 'Execute step', then send an email to one of your identities. The service must be able to reach n8n at a public HTTPS address. <b>No public address yet?</b> Turn on 'Use Sample Email'.<br><br><b>Once the workflow is published</b>, it runs for every new email. These runs are in the <a data-key='executions'>executions list</a>.",
		active:
			"<b>While building your workflow</b>, click 'Execute step', then send an email to one of your identities. If the workflow is published, the email also starts it.<br><br><b>While the workflow is published</b>, it runs for every new email. These runs are in the <a data-key='executions'>executions list</a>.",
	},
	activationHint: {
		inactive:
			"No public URL yet? Turn on 'Use Sample Email'. Publish the workflow to run it for every new email.",
		active:
			"No public URL yet? Turn on 'Use Sample Email'. While the workflow is published, it runs for every new email, including the one you send now.",
	},
};
