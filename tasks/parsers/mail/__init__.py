"""Parts of the parsers of mail (`eml`, `mbox`, `msg`), in the order in which they are needed.

`mailbox_file` cuts a mailbox into messages, `header_fields` reads their headers (`moments`: their dates) and
`mime_parts` their bodies and attachments (`tnef_file`: those of winmail.dat, `signed_data`: those of smime.p7m).
`outlook_message` makes mail of the files that Outlook saves (`rich_text_body`: bodies that are Rich Text). `body_page`
splits the page of a body into lines, `quotations` separates quotations from the sender's text by their `attributions`.
`attachments` reads attached files with the parsers of their formats, appointments with `calendar_text`
(`calendar_times`: their hours), which the parser `ics` uses too. `message_reader` makes a `MailMessage` of all that,
and `mail_writer` groups messages in threads and writes the document.
"""
